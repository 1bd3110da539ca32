internal import Locking

extension AssociationServer {
    /// Opens the access log anew: its file may have been moved away. Returns at once.
    public func reopenLogs() { state.withLock { $0.log }?.reopen() }
}
