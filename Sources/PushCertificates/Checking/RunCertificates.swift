/// All certificates of a run, by their places.
struct RunCertificates {
    private let candidates: [Replacements.Candidate]
    /// Where the certificates of each file begin.
    private let starts: [Int]
    private let replacements: Replacements

    init(_ files: [(path: String, content: Result<CertificateFile, CertificateFileError>)], now: Int64) {
        var candidates: [Replacements.Candidate] = []
        var starts: [Int] = []
        for (number, file) in files.enumerated() {
            starts.append(candidates.count)
            guard case .success(let content) = file.content else { continue }
            for (index, certificate) in content.certificates.enumerated() {
                candidates.append(
                    Replacements.Candidate(
                        certificate: certificate, validity: Validity(of: certificate, now: now), file: number,
                        place: CertificatePlace(path: file.path, index: index)))
            }
        }
        self.candidates = candidates
        self.starts = starts
        replacements = Replacements(candidates)
    }

    /// How the time lies in the validity of a certificate of a file.
    func validity(of index: Int, ofFile number: Int) -> Validity? { candidates[starts[number] + index].validity }

    /// The newest certificate that replaces one of a file.
    func newest(replacing index: Int, ofFile number: Int) -> Replacements.Candidate? {
        replacements.newest(replacing: starts[number] + index)
    }
}
