/// What a handler says about an activity.
public enum Handling: Hashable, Sendable {
    /// It is done with: nobody else is asked.
    case handled
    /// Somebody else is to be asked: the next route that matches, and if there is none, the browser.
    case notHandled
    /// It belongs in the browser: nobody else is asked.
    case openInBrowser
}
