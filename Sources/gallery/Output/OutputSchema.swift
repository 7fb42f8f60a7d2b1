/// The JSON Schema of everything that `gallery` prints as JSON.
enum OutputSchema {
    /// The document, as `fixtures/output.schema.json` records it.
    static let text = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Output of gallery",
          "description": "What '--format json' and each line of '--format jsonl' are: a photo or a list of photos; a line of 'gallery fetch'; or the services.",
          "anyOf": [
            {"$ref": "#/$defs/photo"},
            {"type": "array", "items": {"$ref": "#/$defs/photo"}},
            {"$ref": "#/$defs/file"},
            {"type": "array", "items": {"$ref": "#/$defs/service"}}
          ],
          "$defs": {
            "photo": {
              "description": "Every key is present; what is not known is null.",
              "type": "object",
              "properties": {
                "index": {"type": ["integer", "null"], "minimum": 1, "description": "The index in the feed, before any filter; null for a photo given by its address."},
                "service": {"type": "string"},
                "id": {"type": "string", "minLength": 1},
                "title": {"type": "string"},
                "author": {"anyOf": [{"$ref": "#/$defs/author"}, {"type": "null"}]},
                "page": {"type": ["string", "null"], "description": "The photo's web page."},
                "width": {"type": ["integer", "null"], "minimum": 1, "description": "The width of the original, in pixels."},
                "height": {"type": ["integer", "null"], "minimum": 1, "description": "The height of the original, in pixels."},
                "thumbnail": {"anyOf": [{"$ref": "#/$defs/rendition"}, {"type": "null"}]},
                "full": {"anyOf": [{"$ref": "#/$defs/rendition"}, {"type": "null"}], "description": "The largest file; null in lists that do not tell it."},
                "files": {"type": "integer", "minimum": 1, "description": "The number of files, more than 1 for a work of several pages."},
                "likes": {"type": ["integer", "null"], "minimum": 0},
                "views": {"type": ["integer", "null"], "minimum": 0},
                "rating": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
                "published": {"type": ["string", "null"], "pattern": "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", "description": "In UTC."},
                "taken": {"type": ["string", "null"], "pattern": "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z?$", "description": "In UTC with a final 'Z', otherwise in an unknown time zone."},
                "tags": {"type": "array", "items": {"type": "string"}},
                "license": {"type": ["string", "null"], "description": "The license's short name, such as 'CC BY 2.0'."},
                "licenseURL": {"type": ["string", "null"]},
                "credit": {"type": ["string", "null"], "description": "One line to print beside the picture."},
                "description": {"type": ["string", "null"]},
                "adult": {"type": "boolean"},
                "details": {"$ref": "#/$defs/details"}
              },
              "required": ["index", "service", "id", "title", "author", "page", "width", "height", "thumbnail", "full", "files", "likes", "views", "rating", "published", "taken", "tags", "license", "licenseURL", "credit", "description", "adult"],
              "additionalProperties": false
            },
            "author": {
              "type": "object",
              "properties": {
                "id": {"type": ["string", "null"]},
                "name": {"type": "string"},
                "username": {"type": ["string", "null"]}
              },
              "required": ["id", "name", "username"],
              "additionalProperties": false
            },
            "rendition": {
              "description": "One file and its own size in pixels.",
              "type": "object",
              "properties": {
                "url": {"type": "string", "minLength": 1},
                "width": {"type": ["integer", "null"], "minimum": 1},
                "height": {"type": ["integer", "null"], "minimum": 1}
              },
              "required": ["url", "width", "height"],
              "additionalProperties": false
            },
            "details": {
              "description": "What 'gallery show' adds. Camera values are as the service sends them.",
              "type": "object",
              "properties": {
                "camera": {"type": ["string", "null"]},
                "lens": {"type": ["string", "null"]},
                "focalLength": {"type": ["string", "null"]},
                "iso": {"type": ["string", "null"]},
                "shutterSpeed": {"type": ["string", "null"]},
                "aperture": {"type": ["string", "null"]},
                "latitude": {"type": ["number", "null"]},
                "longitude": {"type": ["number", "null"]},
                "comments": {"type": ["integer", "null"], "minimum": 0},
                "category": {"type": ["string", "null"]},
                "pageCount": {"type": "integer", "minimum": 1},
                "pages": {"type": "array", "items": {"$ref": "#/$defs/rendition"}, "description": "The files of a work of several pages; empty for any other."}
              },
              "required": ["camera", "lens", "focalLength", "iso", "shutterSpeed", "aperture", "latitude", "longitude", "comments", "category", "pageCount", "pages"],
              "additionalProperties": false
            },
            "file": {
              "description": "One file of 'gallery fetch --format jsonl'.",
              "type": "object",
              "properties": {
                "index": {"type": ["integer", "null"], "minimum": 1},
                "id": {"type": ["string", "null"]},
                "path": {"type": ["string", "null"]},
                "bytes": {"type": ["integer", "null"], "minimum": 0},
                "status": {"enum": ["fetched", "resumed", "kept", "planned", "failed"], "description": "'planned' with '--dry-run' alone: the path may still change its extension."},
                "error": {"type": ["string", "null"]},
                "url": {"type": "string", "description": "The file's address, with '--dry-run' alone."}
              },
              "required": ["index", "id", "path", "bytes", "status", "error"],
              "additionalProperties": false
            },
            "service": {
              "description": "One service of 'gallery services --format json'.",
              "type": "object",
              "properties": {
                "name": {"type": "string"},
                "summary": {"type": "string"},
                "default": {"type": "boolean"},
                "feeds": {"type": "array", "items": {"enum": ["popular", "search", "user", "favorites"]}},
                "rankings": {"type": "array", "items": {"type": "string"}},
                "key": {
                  "anyOf": [
                    {"type": "null"},
                    {
                      "type": "object",
                      "properties": {
                        "variable": {"type": "string"},
                        "use": {"type": "string"},
                        "set": {"type": "boolean"}
                      },
                      "required": ["variable", "use", "set"],
                      "additionalProperties": false
                    }
                  ]
                }
              },
              "required": ["name", "summary", "default", "feeds", "rankings", "key"],
              "additionalProperties": false
            }
          }
        }
        """#
}
