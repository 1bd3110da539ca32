/// A text to be matched, in memory that may be read 64 bytes beyond its end and 8 bytes before its beginning.
///
/// Behind a path stands a `/` that is not part of it: a pattern with the tail `/*` that may be left out is compared with
/// the path and this slash, and so needs no second look.
struct IndexText {
    let base: UnsafeRawPointer
    let count: Int
}
