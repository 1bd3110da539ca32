/// How template languages set off what they replace.
enum TemplateStyle {
    /// `{{ … }}`
    case expression
    /// `{% … %}`
    case statement
    /// `${…}`
    case substitution
    /// `<% … %>`
    case page

    var end: StaticString {
        switch self {
        case .expression: "}}"
        case .statement: "%}"
        case .substitution: "}"
        case .page: "%>"
        }
    }
}
