import Curation
import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// What a definition can say, and what it cannot.
@Suite struct SourceLanguageTests {
    /// A service of a definition with these members beside the usual.
    private func service(_ members: String = "", photo: String = "", feed: String = "list?p={page}&n={size}")
        throws
        -> DefinedService
    {
        let files = photo.contains("files") ? "" : #", "files": "url""#
        let text = """
            {"base": "https://api.example/v1", "site": "https://pictures.example/",
             "feeds": {"popular": "\(feed)", "search": "find?q={query}"},
             "photo": {"id": "id"\(files)\(photo)}\(members)}
            """
        let definition = try SourceDefinition(Data(text.utf8), file: "made.json")
        return DefinedService(definition: definition, api: definition.entry.api(key: Secret("hush")))
    }

    private func photos(_ service: DefinedService, _ body: String) throws -> [Photo] {
        var conversation = Conversation((suffix: "/", status: 200, body: Data(body.utf8)))
        return try conversation.page(of: service).photos.map(\.photo)
    }

    @Test(arguments: [
        (#""a.b""#, "deep"), (#""'x:y'.0""#, "quoted"), (#""list[1]""#, "two"), (#""list[-1]""#, "three"),
        (#""rows[k=b].v""#, "2"), (#""rows[k=x|c].v""#, "3"), (#""rows[k$=c].v""#, "3"),
        (#""rows[k$=C].v""#, "3"),
        (#"["none", "empty", "nothing", "a.b"]"#, "deep"),
        (#"{"path": "list", "join": " + "}"#, "one + two + three"),
        (#"{"all": ["a.b", "list[0]"], "join": "/"}"#, "deep/one"), (#"{"text": "{a.b}-{n}"}"#, "deep-12"),
        (#"{"path": "n", "words": {"12": "dozen"}}"#, "dozen"),
        (#"{"path": "words", "split": " ", "join": ","}"#, "x,y"),
        (#"{"path": "spaced", "split": ",", "join": ","}"#, "x,y z"),
        (#"{"path": "a.b", "replace": ["dee", "shar"], "prefix": "very "}"#, "very sharp"),
        (#""html""#, "Tom & Jerry"), (#""$.title""#, "whole"), (#""values[*]""#, "first"),
        (#""flag""#, "true"), (#"{"text": "constant"}"#, "constant"), (#""a[b=deep].b""#, "deep"),
        (#"["a[b=shallow].b", "@[flag=true].n"]"#, "12"), (#""values.#""#, "values"),
        (#"["list[0].#", "@.#", "a.'#'"]"#, "sharp"),
    ])
    func `a value is made as it is written`(expression: String, value: String) throws {
        let body = """
            {"title": "whole", "items": [{"id": 7, "url": "u.jpg", "a": {"b": "deep", "#": "sharp"}, "x:y": {"0": "quoted"},
             "list": ["one", "two", "three"], "rows": [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "c", "v": 3}],
             "empty": "", "nothing": null, "n": 12, "words": "x y", "spaced": " x, y z ,", "html": "<b>Tom</b> &amp; Jerry",
             "values": {"1": "first", "2": "second"}, "flag": true}]}
            """
        let found = try photos(service(#", "items": "items""#, photo: #", "title": \#(expression)"#), body)
        #expect(found.map(\.title) == [value])
    }

    @Test(arguments: [
        "7", #""text""#, "null", "[]", "{}", "true", #"[{"a": [1]}]"#, #"{"id": {}}"#, "1e300", #""""#,
    ])
    func `a wrong type at any path leaves the value out, not the photo`(value: String) throws {
        let service = try service(
            photo:
                #", "title": "t", "author": "t[0].x", "tags": "t[*]", "width": "t", "taken": "t", "page": "t", "likes": "t""#
        )
        let found = try photos(service, #"[{"id": "a", "url": "/p.jpg", "t": \#(value)}]"#)
        #expect(found.map(\.id.value) == ["a"])
        #expect(found.first?.full?.url.absoluteString == "https://pictures.example/p.jpg")
    }

    @Test func `a photo without identifier is left out with a line, and none at all is an error`() throws {
        let service = try service()
        var conversation = Conversation(
            (suffix: "/", status: 200, body: Data(#"[{"id": 1}, {"url": "x"}, 5]"#.utf8)))
        let page = try conversation.page(of: service)
        #expect(page.photos.map(\.index) == [1])
        #expect(page.leftOut.map(\.description) == ["made sent no '[1].id'.", "made sent no '[2].id'."])
        #expect(service.complaint(Data(#"[{}]"#.utf8)) != nil)
        #expect(
            service.complaint(Data("<html>".utf8))?.description
                == "made sent something other than JSON, beginning '<html>'.")
    }

    @Test func `rows are the values of an object, in the order of its keys`() throws {
        let service = try service(
            #", "items": "all", "photos": "of""#,
            photo: #", "title": "^.#", "author": {"text": "{#} of {^.#}"}"#)
        let rows = #""10": {"of": {"a": {"id": 1}}}, "9": {"of": {"b": {"id": 2}}}, "x/y": {"of": []}"#
        let body = #"{"all": {\#(rows)}}"#
        let found = try photos(service, body)
        #expect(found.map(\.title) == ["9", "10"])
        #expect(found.map(\.author?.name) == ["b of 9", "a of 10"])
    }

    @Test(
        arguments: [
            ("2024-05-01T10:00:00Z", 1_714_557_600), ("Wed, 01 May 2024 10:00:00 GMT", 1_714_557_600),
            (1714557600, 1_714_557_600), ("1714557600.4", 1_714_557_600.4),
            (1714557600500, 1_714_557_600.5), ("2024", 1_704_067_200), (20240501, nil),
            ("20240501100000", nil),
            ("1e300", nil),
        ] as [(any Sendable, Double?)])
    func `dates are texts, seconds, or milliseconds`(sent: any Sendable, seconds: Double?) throws {
        let text = sent is String ? "\"\(sent)\"" : "\(sent)"
        let found = try photos(
            service(photo: #", "published": "d""#), #"[{"id": 1, "url": "u", "d": \#(text)}]"#)
        #expect(found.map(\.published) == [seconds.map { Date(timeIntervalSince1970: $0) }])
    }

    @Test(arguments: [
        (400, "made failed with status 400: Too short."), (401, "made refused the request: Too short."),
    ])
    func `a refusal is told in the host's words`(status: Int, text: String) throws {
        let service = try service(#", "error": ["faults[0].title", "problem"]"#)
        let error = service.complaint(status: status, Data(#"{"faults": [{"title": "Too short"}]}"#.utf8))
        #expect(error?.description == text)
    }

    @Test func `a photo without a file, where nothing else can be asked, says so`() throws {
        let service = try service()
        let photo = Photo(id: PhotoID(service: "made", value: "7"), title: "")
        var nobody = Conversation()
        let error = #expect(throws: ServiceError.self) {
            _ = try nobody.run(service.details(of: [photo]))[photo.id]?.get()
        }
        #expect(error?.description == "made has no file of photo 7, nor a 'detail' to ask for it.")
    }

    @Test(
        arguments: [
            ("http://h.example/a.jpg", "http://h.example/a.jpg"),
            ("a b.jpg", "https://pictures.example/a%20b.jpg"),
            ("//h.example/a.jpg", "https://h.example/a.jpg"), ("javascript:alert(1)", nil),
            ("data:image/png;base64,AA", nil), (" http://h.example/a.jpg\\n", "http://h.example/a.jpg"),
            ("/a.jpg?x&amp;amp;y", "https://pictures.example/a.jpg?x&y"),
            ("\\t/a.jpg ", "https://pictures.example/a.jpg"), ("file:///etc/passwd", nil),
        ] as [(String, String?)])
    func `addresses are resolved and checked`(sent: String, read: String?) throws {
        let found = try photos(service(), #"[{"id": 1, "url": "\#(sent)"}]"#)
        #expect(found.first?.full?.url.absoluteString == read)
    }

    @Test(arguments: ["a/b", "a?b#c", "a\u{1B}b", "a b"])
    func `an identifier stays in its place of an address`(id: String) throws {
        let service = try service(#", "detail": {"request": "one/{id}/x"}"#)
        guard case .send(let requests, _) = try service.details(of: [PhotoID(service: "made", value: id)])
        else {
            return #expect(Bool(false), "details need a request")
        }
        let path = requests[0].url.absoluteString.dropFirst("https://api.example/v1/one/".count)
        #expect(
            path.hasSuffix("/x") && path.dropLast(2).allSatisfy { $0.isLetter || $0.isNumber || $0 == "%" })
        let above = PhotoID(service: "made", value: "..")
        #expect(throws: ServiceError.self) {
            var nobody = Conversation()
            _ = try nobody.run(service.details(of: [above]))[above]?.get()
        }
    }

    @Test func `a list that says too little is completed photo by photo, even where it has files`() throws {
        let service = try service(
            #", "detail": {"request": "one/{id}", "when": "list"}"#, photo: #", "title": "t""#)
        var conversation = Conversation(
            (suffix: "/one/", status: 200, body: Data(#"{"id": 1, "t": "told"}"#.utf8)),
            (suffix: "/list", status: 200, body: Data(#"[{"id": 1, "url": "/a.jpg"}]"#.utf8)))
        let page = try conversation.page(of: service)
        #expect(page.photos.map(\.photo.title) == ["told"])
        #expect(page.photos.first?.photo.full?.url.lastPathComponent == "a.jpg")
        #expect(conversation.asked.count == 2)
    }

    // MARK: - Paging

    /// The texts of a walk through linked pages.
    private func walk(_ members: String, feed: String, _ replies: (String, String)...) throws -> (
        Page, [[String]]
    ) {
        var conversation = Conversation()
        conversation.answers = replies.map { ($0, 200, Data($1.utf8)) }
        let service = try service(#", "items": "items""# + members, feed: feed)
        let page = try conversation.page(of: service, size: 3)
        return (page, conversation.asked)
    }

    @Test func `a next link is followed on the same host`() throws {
        let (page, asked) = try walk(
            #", "next": "next""#, feed: "list",
            ("after=2", #"{"items": [{"id": 3}, {"id": 4}], "next": false}"#),
            ("/list", #"{"items": [{"id": 1}, {"id": 2}], "next": "http://api.example/v1/list?after=2"}"#))
        #expect(page.photos.map(\.photo.id.value) == ["1", "2", "3"])
        #expect(asked == [["https://api.example/v1/list"], ["https://api.example/v1/list?after=2"]])
        // One more is in the reply.
        #expect(page.next == "1 https://api.example/v1/list?after=2")
    }

    @Test func `a next link is asked for without the key that it repeats`() throws {
        let (_, asked) = try walk(
            #", "next": "next", "key": {"query": "key"}"#, feed: "list",
            ("after=2", #"{"items": [{"id": 2}]}"#),
            ("/list", #"{"items": [{"id": 1}], "next": "/v1/list?key=hush&after=2&monkey=1"}"#))
        #expect(
            asked.map { $0[0] } == [
                "https://api.example/v1/list", "https://api.example/v1/list?after=2&monkey=1",
            ])
    }

    @Test func `a next link is only a sign that there is more where pages have numbers`() throws {
        let (page, asked) = try walk(
            #", "next": "next", "photos": "p""#, feed: "list?page={page}",
            ("page=2", #"{"items": [{"p": [{"id": 2}]}]}"#),
            ("page=1", #"{"items": [{"p": [{"id": 1}]}], "next": "https://a.example/?n=2"}"#))
        #expect(page.photos.map(\.photo.id.value) == ["1", "2"])
        #expect(asked.count == 2 && !page.hasMore)
    }

    @Test(arguments: ["page", "offset"])
    func `no number of a next page is too large to count on from`(name: String) throws {
        let (page, _) = try walk(
            #", "next": "next", "photos": "p""#, feed: "list?x={\(name)}",
            ("x=9223372036854775807", #"{"items": [{"p": [{"id": 2}]}], "next": "/v1/list"}"#),
            ("/list", #"{"items": [{"p": [{"id": 1}]}], "next": 9223372036854775807}"#))
        #expect(page.photos.map(\.photo.id.value) == ["1", "2", "1"])
    }

    @Test(arguments: [
        "https://evil.example/list?after=2", "https://api.example:8443/v1/list", "//evil.example/",
    ])
    func `a next link to another host costs what follows it alone`(next: String) throws {
        let (page, asked) = try walk(
            #", "next": "next""#, feed: "list",
            ("/list", #"{"items": [{"id": 1}, {"id": 2}], "next": "\#(next)"}"#))
        #expect(page.photos.map(\.photo.id.value) == ["1", "2"])
        #expect(!page.hasMore && asked.count == 1)
        #expect(page.leftOut.count == 1)
        #expect(
            page.leftOut[0].description.hasPrefix(
                "made's list ends early: its next page is on another host, '"))
    }

    @Test(arguments: [
        ("list", ["/v1/list"], 1, 2), ("list?c={cursor}", ["same", "same"], 2, 4),
        ("list?c={cursor}", ["a", "b", "a"], 3, 6), ("list?c={cursor}", ["a", "b", "a"], 1, 2),
    ])
    func `a next page that came before ends the list, which keeps its photos`(
        feed: String, next: [String], replies: Int, count: Int
    ) throws {
        var conversation = Conversation()
        // The latest page's photos are new ones.
        conversation.answers = next.enumerated().reversed().map { number, next in
            (
                number == 0 ? "/list" : "c=\(["", "a", "b"][number])",
                200,
                Data(
                    #"{"items": [{"id": \#(number * 2)}, {"id": \#(number * 2 + 1)}], "next": "\#(next)"}"#
                        .utf8)
            )
        }
        if next[0] == "same" { conversation.answers[0].suffix = "c=same" }
        let service = try service(#", "items": "items", "next": "next""#, feed: feed)
        let size = count == 2 ? 2 : 20
        let page = try conversation.page(of: service, size: size)
        #expect(page.photos.map(\.photo.id.value) == (0..<count).map { "\($0)" })
        #expect(page.leftOut.isEmpty && conversation.asked.count == replies)
        #expect(page.hasMore == (size == 2 && next.count == 3))
    }

    @Test(arguments: [(1, 2), (3, 2), (5, 2), (6, 1), (100, 1)])
    func `empty pages are passed over, five in a row`(empty: Int, photos: Int) throws {
        var conversation = Conversation()
        let last = empty + 1
        conversation.answers = (1...last).reversed().map {
            (
                "c=\($0).", 200,
                Data(($0 < last ? #"{"items": [], "next": "\#($0 + 1)."}"# : #"{"items": [{"id": 2}]}"#).utf8)
            )
        }
        conversation.answers.append(("/list", 200, Data(#"{"items": [{"id": 1}], "next": "1."}"#.utf8)))
        let service = try service(#", "items": "items", "next": "next""#, feed: "list?c={cursor}")
        let page = try conversation.page(of: service, size: 3)
        #expect(page.photos.count == photos && !page.hasMore)
        #expect(conversation.asked.count == min(empty + 2, 7))
        #expect(
            page.leftOut.map(\.description)
                == (photos == 2
                    ? [] : ["made's list ends early: 6 of its pages, one after the other, have no photos."]))
    }

    @Test func `a first page may be empty, one with a number too, and nothing but empty pages are an error`()
        throws
    {
        let (page, _) = try walk(
            #", "next": "next""#, feed: "list?c={cursor}", ("c=a", #"{"items": [{"id": 1}]}"#),
            ("/list", #"{"items": [], "next": "a"}"#))
        #expect(page.photos.map(\.photo.id.value) == ["1"])
        let (numbered, _) = try walk(
            #", "next": "next""#, feed: "list?p={page}", ("/list", #"{"items": [], "next": 2}"#))
        #expect(numbered.photos.isEmpty && numbered.hasMore)
        var count = 0
        var exchange = try service(#", "items": "items", "next": "next""#, feed: "list?c={cursor}")
            .page(PageSlice(number: 1, size: 3), of: .popular(), cursor: nil)
        let error = #expect(throws: ServiceError.self) {
            while case .send(let requests, let read) = exchange {
                count += 1
                let head = HTTPHead(status: 200, url: requests[0].url)
                let body = Data(#"{"items": [], "next": "\#(count)"}"#.utf8)
                exchange = try read([.success(HTTPReply(head: head, body: body))])
            }
        }
        #expect(count == 6 && error?.description.contains("6 of its pages") == true)
    }

    @Test(
        arguments: [
            (
                Data(#"{"items":[{"id":1,"t":"a\ud83d b \ude00","url":"/a.jpg"}]}"#.utf8),
                "a\u{FFFD} b \u{FFFD}"
            ),
            (Data("{\"items\":[{\"id\":1,\"t\":\"a\tb\nc\",\"url\":\"/a.jpg\"}]}".utf8), "a\tb\nc"),
            (
                Data(#"{"items":[{"id":1,"t":"#.utf8) + Data([0x22, 0xE9, 0x22])
                    + Data(#","url":"/a.jpg"}]}"#.utf8), "é"
            ),
            (Data(#"{"items":[],"items":[{"id":1,"t":"no","url":"/a.jpg","t":"yes"}]}"#.utf8), "yes"),
        ])
    func `a title is read from JSON that is none`(body: Data, title: String) throws {
        var conversation = Conversation((suffix: "/", status: 200, body: body))
        let service = try service(#", "items": "items""#, photo: #", "title": "t""#)
        let page = try conversation.page(of: service)
        #expect(page.photos.map(\.photo.title) == [title])
    }

    @Test(
        arguments: [
            (#"<https://api.example/v1/list?a=1,2;3>; rel="next""#, "https://api.example/v1/list?a=1,2;3"),
            (#"</a>; rel="prev", </b>; title="x"; rel="last next""#, "/b"), ("</a>;rel=next", "/a"),
            (#"</a>; rel="prev""#, nil), ("</a", nil), (">; rel=next <", nil), ("", nil),
        ] as [(String, String?)])
    func `the next page is read from a header`(header: String, next: String?) {
        #expect(DefinedService.nextLink(header) == next)
    }

    @Test func `a page that is not full is the last one where nothing else says so`() throws {
        let (page, asked) = try walk(
            #", "photos": "p", "pageSize": 2"#, feed: "list?page={page}",
            ("page=1", #"{"items": [{"p": [{"id": 1}, {"id": 2}]}, {"p": []}]}"#),
            ("page=2", #"{"items": [{"p": []}]}"#))
        #expect(page.photos.map(\.photo.id.value) == ["1", "2"])
        #expect(asked.count == 2 && !page.hasMore)
    }

    @Test(
        arguments: [
            ("https://a.example/@ann/17", "17"), ("http://m.a.example/@b%20c/1%2F7/?x=y", "1/7"),
            ("https://a.example/p-5.html", "5"), ("https://a.example/view?id=9&x=1", "9"),
            ("https://a.example/File_(x)/3", "3"), ("https://a.example/File_y/3", nil),
            ("https://a.example/@ann", nil), ("https://a.example/p-.html", nil),
            ("https://b.example/@ann/17", nil), ("https://evila.example/@ann/17", nil),
        ] as [(String, String?)])
    func `an address is a photo's if it has the form of one`(address: String, id: String?) throws {
        let service = try service(
            #", "pages": {"photo": ["a.example/@{name}/{id}", "a.example/p-{id}.html", "a.example/view?id={id}", "a.example/File_(x)/{id}"]}"#
        )
        #expect(service.photo(atPage: try #require(URL(string: address)))?.value == id)
    }

    @Test(arguments: [#""sizes""#, #""sizes[*]""#, #""byName[*]""#, #""one""#])
    func `each element of a list is a file`(each: String) throws {
        let body = #"[{"id": 1, "sizes": [{"u": "1.jpg"}, {"u": "2.jpg"}], "one": {"u": "1.jpg"}}]"#
            .replacing(#""one""#, with: #""byName": {"a": {"u": "1.jpg"}, "b": {"u": "2.jpg"}}, "one""#)
        let service = try service(photo: #", "files": [{"each": \#(each), "url": "u"}]"#)
        let files = try photos(service, body).first?.renditions.map(\.url.lastPathComponent)
        #expect(files == (each == #""one""# ? ["1.jpg"] : ["1.jpg", "2.jpg"]))
    }

    // MARK: - Trials

    @Test(arguments: [
        (#"{"result": {"photos": []}}"#, "No rows at 'items': no 'rows'; there are photos."),
        (#"{"result": {"rows": []}}"#, "No rows at 'items': empty."),
        (#"{"result": [1, 2]}"#, "No rows at 'items': no 'rows'; there is a list of 2."),
    ])
    func `a trial without rows says what is there`(body: String, line: String) throws {
        let head = HTTPHead(status: 200, url: URL(filePath: "/reply.json"))
        let trial = try SourceTrial(
            service(#", "items": "result.rows""#).definition,
            reply: HTTPReply(head: head, body: Data(body.utf8)))
        #expect(trial.lines == [line])
    }

    @Test(arguments: [
        // As a list, the user would pass for a photo.
        (#"{"id": 1, "url": "a.jpg", "title": "t", "user": {"id": 2}}"#, "one photo", "1"),
        (#"[{"id": 1, "url": "a.jpg", "title": "t"}]"#, "Rows: 1.", "1"),
        // A list in the reply of a photo.
        (#"{"id": 5, "url": "a.jpg", "title": "t", "sizes": [1, 2]}"#, "one photo", "5"),
    ])
    func `a trial reads a reply as what it tells more as`(body: String, kind: String, id: String) throws {
        let service = try service(#", "detail": {"request": "one/{id}"}"#, photo: #", "title": "title""#)
        let head = HTTPHead(status: 200, url: URL(filePath: "/reply.json"))
        let trial = try SourceTrial(
            service.definition, reply: HTTPReply(head: head, body: Data(body.utf8)))
        #expect(trial.lines.first?.contains(kind) == true, "\(trial.lines)")
        #expect(trial.fields.first { $0.name == "id" }?.value == id)
    }

    @Test func `the last identifier is a cursor, and an empty list the end`() throws {
        let (page, asked) = try walk(
            #", "next": {"text": "b{items[-1].id}"}"#, feed: "list?page={cursor}",
            ("b2", #"{"items": []}"#), ("/list", #"{"items": [{"id": 1}, {"id": 2}]}"#))
        #expect(page.photos.count == 2 && !page.hasMore)
        #expect(
            asked.map { $0[0] } == ["https://api.example/v1/list", "https://api.example/v1/list?page=b2"])
    }

    @Test func `a million items cost no more than a page`() throws {
        let count = Thorough.size(1_000_000, small: 20_000)
        let list = "[" + (1...count).map { "\($0)" }.joined(separator: ",") + "]"
        let service = try service(#", "detail": {"request": "one/{id}"}"#, photo: "", feed: "all")
        let scalar = try SourceDefinition(
            Data(
                #"{"base": "https://a.example", "feeds": {"popular": "all"}, "photo": {"id": "@", "files": "none"}}"#
                    .utf8), file: "many.json")
        var conversation = Conversation((suffix: "/", status: 200, body: Data(list.utf8)))
        let page = try conversation.page(
            of: DefinedService(definition: scalar, api: service.api), number: 2, size: 10)
        #expect(page.photos.map(\.photo.id.value) == (11...20).map { "\($0)" })
        #expect(page.total == count && page.hasMore)
    }

    // MARK: - Faults

    @Test(arguments: [
        (#""titel": "x""#, "'titel' is unknown"),
        (#""feeds": {"popular": "https://evil.example/{page}"}"#, "whole address"),
        (#""feeds": {"popular": "//evil.example/"}"#, "whole address"),
        (#""feeds": {"popular": "x?{foo}"}"#, "unknown '{foo}'"), (#""items": "a..b""#, "empty name"),
        (#""items": "a[x""#, "lacks a ']'"), (#""pageSize": "many""#, "is not a number"),
        (#""base": "ftp://a.example""#, "is not an 'http://' or 'https://' address"),
        (#""photo": {"title": "t", "files": "u"}"#, "lacks 'id'"),
        (#""photo": {"id": "t"}"#, "lacks 'files'"),
        (#""headers": {"Host": "x"}"#, "is not a header's name"),
        (#""headers": {"X\r\nEvil": "x"}"#, "is not a header's name"),
        (#""headers": {"X": "a\r\nEvil: b"}"#, "is not one line"),
        (#""site": null"#, "'site' is not a string"),
        (#""key": {"header": "Host"}"#, "is not a header's name"),
        (#""pageSize": 1001"#, "is not a number from 1 to 1000"),
        (#""pages": {"photo": "a.example/p"}"#, "needs one '{id}'"),
        (#""pages": {"photo": "a.example/{user}-{id}"}"#, "has braces twice"),
        (#""pages": {"photo": "{id}"}"#, "is not a host and a path"),
        (#""detail": {"request": "https://evil.example/{id}"}"#, "whole address"),
    ])
    func `what is wrong is said with its place`(member: String, problem: String) throws {
        var members = [
            "base": #""https://a.example""#, "feeds": #"{"popular": "list"}"#,
            "photo": #"{"id": "id", "files": "u"}"#,
        ]
        let name = String(member.dropFirst().prefix { $0 != "\"" })
        members[name] = String(member.dropFirst(name.count + 4))
        let text =
            "{\n" + members.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }.joined(separator: ",\n")
            + "\n}"
        let error = #expect(throws: DefinitionError.self) {
            try SourceDefinition(Data(text.utf8), file: "/x/made.json")
        }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("(line ") == true, "\(error?.description ?? "")")
    }

    @Test func `requests carry the key to the base's host only`() throws {
        let service = try service(#", "key": {"query": "key"}, "headers": {"X-App": "a"}"#)
        let request = try service.request(.search("//evil.example/?a=b&c"), [:])
        #expect(request.url.host == "api.example")
        #expect(
            request.url.absoluteString == "https://api.example/v1/find?q=%2F%2Fevil.example%2F%3Fa%3Db%26c")
        #expect(request.headers["X-App"] == "a" && request.secrets.count == 1)
    }
}
