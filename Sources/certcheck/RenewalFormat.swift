import ArgumentParser

/// How the result of a step of the renewal is written.
enum RenewalFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
