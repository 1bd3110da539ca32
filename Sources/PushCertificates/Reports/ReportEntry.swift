internal import Diagnostics

/// A line of a report: a certificate, or a file that could not be read.
struct ReportEntry {
    let file: FileCheck
    /// The place of the file in the run.
    let fileNumber: Int
    /// The place of the certificate in its file; nil for a file that could not be read.
    let index: Int?
    /// Whether the path alone does not say which certificate it is.
    private let isNumbered: Bool

    var check: CertificateCheck? { index.map { file.certificates[$0] } }
    var place: CertificatePlace? { index.map { CertificatePlace(path: file.path, index: $0) } }
    var status: CheckStatus { check?.status ?? .unknown }
    var isBesideOthers: Bool { check?.isBesideOthers ?? false }

    /// The file, and which of its certificates if it has several, counted from 1.
    var label: String {
        let path = VisibleText.escaped(file.path)
        guard let index, isNumbered, !isBesideOthers else { return path }
        return "\(path) #\(index + 1)"
    }

    /// All of a report, the most urgent first.
    static func all(in report: CheckReport) -> [ReportEntry] {
        report.files.enumerated().flatMap { entries($1, number: $0) }.sorted { $0.rank < $1.rank }
    }

    /// Those of a file, in its order.
    private static func entries(_ file: FileCheck, number: Int) -> [ReportEntry] {
        guard file.error == nil else {
            return [ReportEntry(file: file, fileNumber: number, index: nil, isNumbered: false)]
        }
        let isNumbered = file.certificates.count { !$0.isBesideOthers } > 1
        return file.certificates.indices.map {
            ReportEntry(file: file, fileNumber: number, index: $0, isNumbered: isNumbered)
        }
    }

    /// What is more urgent has a lower rank; the order of the run decides between equals.
    private var rank: (Int, Int64, Int, Int) {
        (step, check?.validity?.left ?? .max, fileNumber, index ?? 0)
    }

    private var step: Int {
        guard let check else { return 1 }
        return switch check.status {
        case .critical: 0
        case .unknown: 1
        case .warning: 2
        case .ok: check.isSuperseded ? 4 : isBesideOthers ? 5 : 3
        }
    }
}
