internal import Diagnostics

/// A report for the textfile collector of Prometheus' node exporter (push-certificates.md, section 9).
package struct PrometheusReport: Sendable {
    package init() {}

    /// Text that ends with a line feed, as the format wants.
    package func render(_ report: CheckReport) -> String {
        var notAfter = PrometheusMetric(
            "certcheck_certificate_not_after_seconds", .gauge, "The last second in which it is valid, since 1970.")
        var notBefore = PrometheusMetric(
            "certcheck_certificate_not_before_seconds", .gauge,
            "The first second in which it is valid, since 1970.")
        var superseded = PrometheusMetric(
            "certcheck_certificate_superseded", .gauge,
            "Whether a newer certificate of the same run replaces it, 0 or 1."
        )
        var usable = PrometheusMetric(
            "certcheck_certificate_usable", .gauge,
            "0 if a push certificate in a PKCS #12 file cannot be used, because its private key is not there; else 1.")
        var readable = PrometheusMetric(
            "certcheck_file_readable", .gauge,
            "Whether the file could be read, 0 or 1; the label 'error' has the reason.")
        var run = PrometheusMetric(
            "certcheck_last_run_timestamp_seconds", .gauge, "When certcheck ran, in seconds since 1970.")
        for file in report.files {
            let error = file.error?.code.description ?? ""
            readable.add(["path": file.path, "error": error], file.error == nil ? 1 : 0)
            for (index, check) in file.certificates.enumerated() {
                guard let validity = check.validity else { continue }
                let labels = Self.labels(check.certificate, path: file.path, index: index)
                notAfter.add(labels, validity.notAfter)
                notBefore.add(labels, validity.notBefore)
                superseded.add(labels, check.isSuperseded ? 1 : 0)
                usable.add(labels, check.isUnusable ? 0 : 1)
            }
        }
        run.add([:], report.now)
        return [notAfter, notBefore, superseded, usable, readable, run].map(\.text).joined()
    }

    private static func labels(_ certificate: PushCertificate, path: String, index: Int) -> PrometheusLabels {
        [
            "path": path, "index": String(index), "kind": certificate.kind.rawValue,
            "topic": certificate.topics.first?.name ?? "", "team": certificate.team ?? "",
            "serial": certificate.serial ?? "",
        ]
    }
}
