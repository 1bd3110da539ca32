internal import COpenSSL

/// The memory that the library gives back.
package enum FreedMemory {
    /// From now on everything is wiped that the library gives back, for the whole process.
    ///
    /// The library wipes most of what was secret itself, but not all: the encoded key stays behind where one is read or
    /// written. For programs that do little else; each release costs a little.
    /// - Returns: Whether it was in time: nothing may have been done with the library before.
    @discardableResult
    package static func wipe() -> Bool { c_wipe_freed_memory() == 1 }
}
