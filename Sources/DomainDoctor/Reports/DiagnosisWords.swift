internal import Diagnostics
internal import DomainNames

// The words that the text and the page of the console show alike.
extension Step.ID {
    var title: String {
        switch self {
        case .dns: "DNS"
        case .tls: "TLS"
        case .http: "HTTP"
        case .agents: "Agents"
        case .addresses: "Addresses"
        case .file: "File"
        case .cdn: "Apple CDN"
        case .assetlinks: "Android"
        case .google: "Google"
        case .app: "App"
        case .link: "Link"
        }
    }
}

extension Step {
    /// Its evidence in words, which may be received bytes.
    var lines: [String] { [summary] + details }
}

extension Diagnosis {
    /// The steps that have something to say.
    var shownSteps: [Step] {
        var shown = steps.filter { step in
            switch step.id {
            case .addresses, .app, .link: step.status != .skipped
            default: true
            }
        }
        // Both speak of Android: one line is enough where neither has anything to say.
        if let links = shown.first(where: { $0.id == .assetlinks }), links.status == .skipped {
            shown.removeAll { $0.id == .google && $0.status == .skipped }
        }
        return shown
    }
}

extension Target {
    /// The name as people read it; nil where that is the one that programs have.
    var unicode: String? {
        guard let unicode = Punycode.unicode(host), unicode == VisibleText.escaped(unicode) else { return nil }
        return unicode
    }
}

extension DoctorTally {
    /// The limits of the checks, for a person who has asked about links with which all is well; nil for others.
    var remark: String? {
        guard status == .ok, links > 0 else { return nil }
        return "What these checks cannot see: a link does not open the app when it is typed into the address bar, "
            + "followed within the same domain in Safari, or opened by a browser or an in-app browser that decides "
            + "otherwise, or when the user once chose the browser for this domain."
    }
}
