internal import BoundedText
internal import CLinux
internal import Glibc
package import SystemSupport

/// Opens files that others may have had a hand in, and says what was really opened.
package enum OpenedFile {
    /// Opens a file for reading, without waiting and without the links of `/proc` that lead past all permissions of paths.
    ///
    /// - Parameter followsLink: whether the last name of the path may be a link.
    package static func open(_ path: String, followsLink: Bool) throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
        let descriptor = c_open_without_magic_links(path, flags)
        guard descriptor >= 0 else { throw SystemError(call: "open") }
        return descriptor
    }

    /// Whether a file is not on a disk but made up by the kernel: of `/proc`, `/sys` and what is mounted there.
    package static func isOfKernel(_ descriptor: Int32) -> Bool { kernelTypes.contains(c_file_system_type(descriptor)) }

    /// statfs(2): proc, sysfs, cgroup, cgroup2, debugfs, tracefs, securityfs, selinuxfs, bpf, configfs, efivarfs, pstore.
    private static let kernelTypes: [UInt32] = [
        0x9FA0, 0x6265_6572, 0x27_E0EB, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673, 0xF97C_FF8C, 0xCAFE_4A11,
        0x6265_6570, 0xDE5E_81E4, 0x6165_676C,
    ]

    /// The path of what a descriptor has open, without links; `nil` where the system does not say.
    package static func path(of descriptor: Int32) -> String? {
        RawPath.target(ofLinkAt: "/proc/self/fd/\(descriptor)").map { String(text: $0) }
    }
}
