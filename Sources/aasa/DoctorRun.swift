import AppProjects
import AppSiteAssociation
import ArgumentParser
import AssociationFiles
import AssociationLint
import CommandLineSupport
import Diagnostics
import DomainDoctor
import EventLoops
import FindingCatalogue
import HTTPClient
import OpenSSL
import SystemSupport
internal import URLPatterns

/// A run of `aasa doctor` whose arguments and files are all right: what is left to do is to ask.
final class DoctorRun: Sendable {
    private let targets: [Target]
    private let examination: Examination
    private let queue: ExaminationQueue
    private let options: DiagnosisOptions
    private let context: DoctorContext
    private let format: DoctorOutputOptions.Format
    private let isStrict: Bool
    private let style: TextStyle
    private let showsUnicode: Bool
    private let width: Int?

    /// - Throws: What is wrong with the arguments and files; nothing has been contacted then.
    init(_ command: Doctor) throws(DoctorFailure) {
        let (app, network, rules) = (command.app, command.network, command.rules)
        var targets = try DoctorTargets(command.targets, allowsAddresses: network.allowsPrivate).targets
        let projects = try Self.read(app.paths)
        if let reason = rules.unreadableConfiguration {
            throw DoctorFailure(
                .unreadableFile, "cannot read the configuration '\(rules.config ?? "")': \(reason)", path: rules.config)
        }
        let trust = try Self.trust(network.roots)
        for objection in rules.objections { StandardError.write("warning: \(objection)") }

        let configuration = WorkingConfiguration(rules.config, rules: AllRules.catalogue)
        let settings = FindingSettings(rules.settings, configuration: configuration)
        let lintOptions = settings.lintOptions(minimumIOS: rules.minimumIOS)
        let now = Clock.wallSeconds()
        let checks = AppChecks(projects, appIDs: app.appIDs.compactMap { ApplicationIdentifier($0) })
        var context = DoctorContext(checkedAt: now)
        context.projects = projects
        let found = settings.apply(to: checks.findings(now: now).map { StepFinding(.app, $0) })
        (context.appFindings, context.ignored) = (found.reported, found.ignored)
        if let file = configuration?.configuration {
            context.configurationFindings = file.findings(unused: [], lintOptions).map {
                StepFinding(.app, $0, in: file.source)
            }
        }
        if targets.isEmpty {
            targets = DoctorTargets(appHosts: checks.hosts.map(\.ascii)).targets
            guard !targets.isEmpty || !context.findings.isEmpty else {
                let reason = projects.isEmpty ? "" : "the --app files name no domain; "
                throw DoctorFailure(.usage, "\(reason)give the domain to check")
            }
        }

        var options = DiagnosisOptions()
        options.linter = Linter(lintOptions, unwrap: SignedAssociationFile.unwrap)
        options.settings = settings
        options.certificateDays = command.findings.certificateDays
        options.allowsPrivateAddresses = network.allowsPrivate
        options.appIDs = app.appIDs
        options.services = app.services.isEmpty ? ["applinks"] : app.services.map(\.rawValue)
        options.androidPackages = app.androidPackages
        options.projects = projects
        do {
            options.androidFingerprints = try app.fingerprints
            var settings = try network.settings
            settings.timeLimit = try command.pace.timeLimit
            settings.leavesOutAndroid = app.leavesOutAndroid
            settings.isAndroidAskedFor =
                !app.androidPackages.isEmpty || !app.androidFingerprints.isEmpty
                || projects.contains(where: \.isForAndroid)
            examination = try Examination(settings, trust: trust, now: Clock.wallSeconds)
        } catch let library as MissingLibrary {
            throw DoctorFailure(.missingLibrary, "\(library)", help: library.help)
        } catch {
            throw DoctorFailure(.usage, "\(error)")
        }
        if !trust.hasSystemRoots {
            StandardError.write(
                "warning: this machine has no trusted root certificates, so no public certificate is accepted; install "
                    + "'ca-certificates'")
        }
        (self.targets, self.options, self.context) = (targets, options, context)
        queue = ExaminationQueue(width: command.pace.parallel)
        (format, isStrict) = (command.results.format, command.findings.strict)
        let output = command.output
        (style, width, showsUnicode) = (output.style, output.width, output.showsUnicode)
    }

    private static func read(_ paths: [String]) throws(DoctorFailure) -> [AppProject] {
        var projects: [AppProject] = []
        var errors: [AppProjectError] = []
        for path in paths {
            do throws(AppProjectError) {
                projects.append(try AppProject.read(path))
            } catch {
                errors.append(error)
            }
        }
        guard let first = errors.first else { return projects }
        let code: CommandFailure.Code =
            switch first.code {
            case .unusable: .unusableFile
            case .unreadable: .unreadableFile
            case .missingLibrary: .missingLibrary
            }
        throw DoctorFailure(
            code,
            errors.map { error in
                let position = error.position.map { ":\($0.line):\($0.column)" } ?? ""
                return DoctorFailure.Reason(
                    message: error.message, location: error.path + position, path: error.path, help: error.help)
            })
    }

    /// The system's roots, and those of `--ca-file`.
    static func trust(_ path: String?) throws(DoctorFailure) -> TrustStore {
        /// More roots than any system has, in bytes.
        let limit = 16 << 20
        var roots: [UInt8]?
        if let path {
            do throws(SystemError) {
                roots = try FileReader.readToEnd(RawPath(argument: path), limit: limit)
            } catch {
                throw DoctorFailure(
                    .unreadableFile, "cannot read the root certificates in '\(path)': \(error.reason)", path: path)
            }
            if let roots, roots.count > limit {
                throw DoctorFailure(.unusableFile, "'\(path)' has more than \(limit >> 20) MiB", path: path)
            }
        }
        do throws(OpenSSLError) {
            return try TrustStore(additional: roots)
        } catch {
            guard let path else { throw DoctorFailure(.unusableFile, "no trust store: \(error)") }
            throw DoctorFailure(
                .unusableFile, "'\(path)' cannot be used as root certificates: \(error)", path: path,
                help: "use a PEM file, which has lines with '-----BEGIN CERTIFICATE-----'")
        }
    }

    /// Checks all targets and writes the report, domain by domain as far as its format allows.
    ///
    /// - Returns: the exit code.
    func check() async -> Int32 {
        var report = report
        var tally = DoctorTally(context)
        var output = StandardOutput()
        var progress = ProgressLine()
        var done = 0
        let total = counted(targets.count, "domain")
        output.write(text: report.begin())
        progress.show("0/\(total)")
        await examineAll(
            progress: { count in
                done = count
                progress.show("\(done)/\(total)")
            },
            finished: { diagnosis in
                tally.add(diagnosis)
                output.write(text: report.add(diagnosis))
                progress.clear()
                output.flush()
                if done < targets.count { progress.show("\(done)/\(total)") }
            })
        progress.clear()
        output.write(text: report.end(tally))
        output.flush()
        return status(report, tally)
    }

    private func examineAll(progress: (Int) -> Void = { _ in }, finished: (Diagnosis) -> Void) async {
        await queue.run(
            targets,
            examine: { [examination, options] target in
                let start = ContinuousClock.now
                let observation = await examination.observe(target)
                return Diagnosis(observation, options) { ContinuousClock.now - start >= observation.timeLimit }
            }, progress: progress, finished: finished)
    }

    /// The result for a page: the text of `--format json`, and the files of each target that was checked.
    struct Document {
        var text: String
        var served: [(target: Target, files: ServedFiles)] = []
    }

    /// Checks a target for a page, and writes nothing.
    ///
    /// - Parameters:
    ///   - options: those of the command.
    ///   - change: what is done to the command before it runs.
    static func document(
        of target: String, _ options: [String] = [], _ change: (inout Doctor) -> Void = { _ in }
    ) -> Document {
        do {
            // A page has no standard input.
            guard target != "-" else { throw DoctorFailure(.usage, "'-' is not a domain or a link") }
            var command = try Doctor.parse(options + ["--format", "json", "--", target])
            change(&command)
            let run = try DoctorRun(command)
            return BlockingTask.run { await run.document() }
        } catch let failure as DoctorFailure {
            return Document(text: failure.json)
        } catch {
            return Document(text: DoctorFailure(.usage, Doctor.message(for: error)).json)
        }
    }

    private func document() async -> Document {
        var report = DoctorJSONReport(context)
        var tally = DoctorTally(context)
        var document = Document(text: report.begin())
        await examineAll { diagnosis in
            tally.add(diagnosis)
            document.text += report.add(diagnosis)
            document.served.append((diagnosis.target, diagnosis.files))
        }
        document.text += report.end(tally)
        return document
    }

    private var report: any DoctorReport {
        switch format {
        case .text: return DoctorTextReport(context, style: style, isUnicode: showsUnicode, width: width)
        case .json: return DoctorJSONReport(context)
        case .jsonl: return DoctorJSONLinesReport(context)
        case .github: return DoctorGitHubReport(context)
        case .sarif: return DoctorSARIFReport(context, ReportFormat.sarifRenderer)
        case .nagios: return DoctorNagiosReport(context, isStrict: isStrict)
        case .prometheus: return DoctorPrometheusReport()
        }
    }

    private func status(_ report: any DoctorReport, _ tally: DoctorTally) -> Int32 {
        if let nagios = report as? DoctorNagiosReport { return nagios.state(tally).rawValue }
        let isFailure = tally.errors > 0 || isStrict && tally.warnings > 0
        return (isFailure ? ExitStatus.failed : .done).rawValue
    }
}
