// Sizes, errors, and plain text are in `Basics` for targets that know nothing of galleries, yet `import GalleryCore` is
// to be enough: with `MemberImportVisibility`, aliases alone would not bring their members along.
@_exported import Basics
