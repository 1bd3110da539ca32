/// An algorithm and its parameters (RFC 5280, section 4.1.1.2).
struct AlgorithmIdentifier {
    let oid: String
    let parameters: BERElement?

    init(_ element: BERElement) throws(BERError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        guard let oid = try reader.next(.objectIdentifier).objectIdentifier else { throw .malformed }
        self.oid = oid
        parameters = try reader.next()
        try reader.finish()
    }

    /// The elements of parameters that are a SEQUENCE.
    func parameterReader() throws(BERError) -> BERReader {
        guard let parameters, parameters.isUniversal(.sequence) else { throw .malformed }
        return try BERReader(inside: parameters)
    }

    /// Parameters that are two algorithms, as those of PBES2 and PBMAC1 (RFC 8018, appendices A.4 and A.5).
    func twoAlgorithms() throws(BERError) -> (AlgorithmIdentifier, AlgorithmIdentifier) {
        var reader = try parameterReader()
        let algorithms = (try reader.nextAlgorithm(), try reader.nextAlgorithm())
        try reader.finish()
        return algorithms
    }
}

extension BERReader {
    /// The next element, which has to be there and be an algorithm.
    mutating func nextAlgorithm() throws(BERError) -> AlgorithmIdentifier {
        try AlgorithmIdentifier(next(.sequence))
    }
}
