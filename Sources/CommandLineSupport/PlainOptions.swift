/// Options that are all written out, with each value in the next argument, as units and scripts start a program.
///
/// They are read without the option parser, where its milliseconds count. What could mean something else to the parser is
/// not read.
package struct PlainOptions {
    private var values: [(option: String, value: String)] = []
    private var given: [String] = []

    /// - Parameters:
    ///   - single: Options with a value that can be given once.
    ///   - repeatable: Options with a value that can be given often.
    ///   - flags: Options without a value.
    /// - Returns: nil if there is anything else: `--option=value`, an operand, an option a second time, no value, or one
    ///   that is empty or may be an option.
    package init?(_ arguments: ArraySlice<String>, single: [String], repeatable: [String], flags: [String]) {
        var arguments = arguments.makeIterator()
        while let option = arguments.next() {
            if flags.contains(option), !given.contains(option) {
                given.append(option)
            } else if repeatable.contains(option) || single.contains(option) && self[option] == nil,
                let value = arguments.next(), !value.isEmpty, !value.hasPrefix("-")
            {
                values.append((option, value))
            } else {
                return nil
            }
        }
    }

    /// The value of an option that can be given once.
    package subscript(_ option: String) -> String? { values.first { $0.option == option }?.value }

    /// The values of an option, in their order.
    package func all(_ option: String) -> [String] { values.filter { $0.option == option }.map(\.value) }

    package func has(_ flag: String) -> Bool { given.contains(flag) }
}
