import AppProjects
import AppSamples
import Diagnostics
import DomainDoctor
import FuzzingSupport
import Glibc
import HTTPClient

/// The parts of what `aasa doctor` reads from the network that are mutated.
package enum DoctorFuzzTarget: String, CaseIterable, Sendable {
    /// Blocks of header lines, given to their reader alone.
    case header
    /// The host's answers about the association file.
    case origin
    /// The answers of Apple's CDN.
    case cdn
    /// The answers of the host and of Google about `assetlinks.json`.
    case android

    /// The target of an input where all have their turn.
    package static func of(_ number: Int) -> DoctorFuzzTarget { allCases[number % allCases.count] }
}

/// Makes domains whose answers are mutated, and checks the reports about them in every format.
package struct DoctorFuzzer {
    private let seed: UInt64
    private let answers = AnswerMutator()
    private let domains: DomainMutator
    private let project: AppProject
    /// The number of times that each answer came up.
    package private(set) var outcomes: [String: Int] = [:]

    package init(seed: UInt64) throws {
        self.seed = seed
        domains = try DomainMutator(answers)
        project = try Self.sampleProject()
    }

    private struct SetUpError: Error {}

    /// The app's side, which is not mutated here; its file is gone when it was read.
    private static func sampleProject() throws -> AppProject {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/aasa-fuzz-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw SetUpError() }
        defer {
            unlink(path)
            close(descriptor)
        }
        let text = SampleApp.entitlements(
            ["applinks:\(AnswerSeeds.host)", "webcredentials:*.example.com"], appID: AnswerSeeds.appID)
        guard write(descriptor, text, text.utf8.count) == text.utf8.count else { throw SetUpError() }
        return try AppProject.read(String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Checks an input, which depends on nothing but its number and the seed; returns what is wrong with the answer.
    package mutating func check(_ target: DoctorFuzzTarget, _ number: Int) -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD129_0B26_8DEB_2B35)
        let start = ThreadTime.nanoseconds
        let violation = target == .header ? checkHeader(&random) : checkDomain(target, &random)
        let time = ThreadTime.nanoseconds - start
        return violation ?? (time > 2_000_000_000 ? "took \(time / 1_000_000) ms" : nil)
    }

    private mutating func checkHeader(_ random: inout SplitMix64) -> String? {
        let block = answers.header(&random)
        let limit = random.chance(90) ? AnswerMutator.headerLimit : random.number(0...max(1, block.count))
        let (outcome, violation) = HeaderInvariants.check(block, limit: limit)
        outcomes["header \(outcome)", default: 0] += 1
        return violation.map { "\($0): \(String(decoding: block, as: UTF8.self).debugDescription)" }
    }

    private mutating func checkDomain(_ target: DoctorFuzzTarget, _ random: inout SplitMix64) -> String? {
        let seen = domains.observation(target, &random)
        let options = options(&random)
        let diagnosis = Diagnosis(seen, options)
        for step in diagnosis.steps where Self.steps(target).contains(step.id) {
            outcomes["\(step.id.rawValue) \(step.status.rawValue)", default: 0] += 1
        }
        var context = DoctorContext(checkedAt: seen.checkedAt)
        context.projects = options.projects
        return DoctorInvariants.violation(in: diagnosis)
            ?? DoctorReportInvariants(context, isWithRules: random.chance(5)).violation(in: diagnosis)
    }

    private static func steps(_ target: DoctorFuzzTarget) -> [Step.ID] {
        switch target {
        case .header: []
        case .origin: [.http, .agents, .file]
        case .cdn: [.cdn]
        case .android: [.assetlinks, .google]
        }
    }

    private func options(_ random: inout SplitMix64) -> DiagnosisOptions {
        var options = DiagnosisOptions()
        if random.chance(20) { options.projects = [project] }
        if random.chance(20) { options.appIDs = [AnswerSeeds.appID] }
        if random.chance(60) { options.androidPackages = [AnswerSeeds.package] }
        if random.chance(10) { options.androidFingerprints = [AnswerSeeds.fingerprint] }
        return options
    }
}
