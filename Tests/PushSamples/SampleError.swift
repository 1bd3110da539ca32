/// Why a sample could not be made.
public struct SampleError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
