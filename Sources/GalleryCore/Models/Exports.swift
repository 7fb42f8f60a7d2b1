// Sizes, errors, and plain text are part of the library's interface, and stand in `Basics` for the targets that know
// nothing of galleries. With `MemberImportVisibility`, aliases alone would not bring their members along, and
// `import GalleryCore` is to be enough.
@_exported import Basics
