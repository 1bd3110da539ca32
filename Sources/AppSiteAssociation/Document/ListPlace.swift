internal import JSONSyntax

/// A value of the file, or an element of a list that is one; its pointer is only made where somebody asks for it.
struct ListPlace: Sendable {
    private let list: JSONPointer
    private let index: Int?

    init(_ list: JSONPointer, _ index: Int? = nil) {
        self.list = list
        self.index = index
    }

    var pointer: String { (index.map { list.element($0) } ?? list).description }
}
