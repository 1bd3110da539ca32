import EventLoops
import Testing

@Suite("Limits of the process")
struct ProcessLimitsTests {
    struct Example: CustomTestStringConvertible, Sendable {
        let groups: String
        let limits: [String: String]
        let memory: Int

        var testDescription: String { "\(groups.debugDescription) \(limits)" }
    }

    @Test(
        "the memory is the lowest limit of a control group and those that it is in",
        arguments: [
            Example(
                groups: "0::/system.slice/aasa.service\n", limits: ["/system.slice/aasa.service": "1073741824\n"],
                memory: 1_073_741_824),
            Example(
                groups: "0::/a.slice/b.service\n", limits: ["/a.slice/b.service": "max\n", "/a.slice": "4096\n"],
                memory: 4_096),
            Example(groups: "0::/a/b\n", limits: ["/a/b": "8192\n", "/a": "4096\n"], memory: 4_096),
            // A container sees its own group as the root.
            Example(groups: "0::/\n", limits: ["": "4096\n"], memory: 4_096),
            Example(groups: "0::/a\n", limits: ["/a": "99999999999999\n"], memory: 1 << 40),
            Example(groups: "0::/a\n", limits: [:], memory: 1 << 40),
            Example(groups: "5:memory:/a\n", limits: ["/a": "4096\n"], memory: 1 << 40),
            Example(groups: "", limits: ["": "4096\n"], memory: 1 << 40),
            Example(groups: "0::/a\n", limits: ["/a": ""], memory: 1 << 40),
        ])
    func memory(example: Example) {
        let memory = ProcessLimits.memory(ofGroups: Array(example.groups.utf8), whole: 1 << 40) {
            example.limits[$0].map { Array($0.utf8) }
        }
        #expect(memory == example.memory)
    }

    @Test("this process may use some memory, and no more than the machine has")
    func thisProcess() { #expect(16_777_216...(1 << 50) ~= ProcessLimits.memory) }
}
