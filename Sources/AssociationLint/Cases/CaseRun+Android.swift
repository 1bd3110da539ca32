internal import Android
internal import Diagnostics

extension CaseRun.Verdict {
    /// Whether what the case expects of Android is so; also if it expects nothing.
    package var hasPassedOnAndroid: Bool {
        guard let expectation = testCase.android else { return true }
        return android.map { expectation.isMet(by: $0) } ?? false
    }

    /// Whether the case passes, but another implementation of Android could answer otherwise.
    package var isUncertain: Bool { hasPassed && android?.isCertain == false }

    /// The outcome on Android, as the end of a sentence.
    var actualOnAndroid: String {
        guard let android else { return "is not decided" }
        switch android.outcome {
        case .open: return "opens \(CaseRun.list(android.packages))"
        case .excluded: return "is excluded"
        case .noMatch: return "stays in the browser"
        case .unknown: return "is not known"
        }
    }

    /// The place that decided on Android, or why nothing did: a file and line, or a clause.
    package var reasonOnAndroid: String {
        guard let android else { return CaseRun.tooLarge }
        if let reason = android.reason { return reason }
        let apps = android.apps.filter { $0.outcome == android.outcome }
        return apps.lazy.compactMap { $0.location(android.path) }.first ?? apps.lazy.compactMap(\.remark).first
            ?? "\(android.path) lets no app handle links"
    }

    /// The finding about a case that Android does not do; nil if it does.
    var androidFailure: Diagnostic? {
        guard !hasPassedOnAndroid, let expectation = testCase.android else { return nil }
        return Diagnostic(
            .caseFailed,
            "\(quoted(testCase.url)): expected it to \(expectation.action) on Android, but it \(actualOnAndroid) (\(reasonOnAndroid))",
            range: testCase.range, pointer: testCase.pointer)
    }
}

extension CaseRun {
    static func uncertain(_ verdict: Verdict) -> Diagnostic {
        let doubts = verdict.android?.apps.filter { !$0.isCertain }.compactMap(\.remark) ?? []
        return Diagnostic(
            .caseUncertain,
            "\(quoted(verdict.testCase.url)) \(verdict.actualOnAndroid) on Android, but that \(doubts.first ?? "is not certain")",
            range: verdict.testCase.range, pointer: verdict.testCase.pointer)
    }
}
