/// The universal tags that are needed here (X.680, section 8).
enum BERTag: Int {
    case boolean = 1
    case integer = 2
    case bitString = 3
    case octetString = 4
    case null = 5
    case objectIdentifier = 6
    case utf8String = 12
    case sequence = 16
    case set = 17
    case bmpString = 30
}
