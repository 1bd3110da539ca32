import Foundation
import LinkDelivery
import Testing

@Suite("parameters of routes")
struct RouteParameterTests {
    enum Level: Int, RouteParameter {
        case low = 1
        case high
    }
    enum Only: String, RouteParameter, CaseIterable { case one }

    private func text<Value: RouteParameter>(_ type: Value.Type, _ text: String) -> String {
        Value(routeParameter: text).map { "\($0)" } ?? "not \(Value.expectedRouteParameter)"
    }

    @Test("texts become values of the types, or it is said what was expected")
    func types() throws {
        #expect(text(String.self, "") == "")
        #expect(text(Int.self, "-12") == "-12")
        #expect(text(Int.self, "+12") == "not a whole number")
        #expect(text(Int.self, "1.5") == "not a whole number")
        #expect(text(Int.self, "") == "not a whole number")
        #expect(text(Int.self, "99999999999999999999") == "not a whole number")
        #expect(text(Int.self, "٣") == "not a whole number")
        #expect(text(UInt8.self, "255") == "255")
        #expect(text(UInt8.self, "256") == "not a whole number from 0 to 255")
        #expect(text(Int16.self, "x") == "not a whole number from -32768 to 32767")
        #expect(text(UInt.self, "-1") == "not a whole number from 0")
        #expect(text(Double.self, "1.5e3") == "1500.0")
        for odd in ["nan", "inf", "0x10", "1,5", "", "1e999", " 1"] {
            #expect(text(Double.self, odd) == "not a number")
        }
        #expect(text(Bool.self, "true") == "true")
        #expect(text(Bool.self, "0") == "false")
        #expect(text(Bool.self, "TRUE") == "not true or false")
        #expect(text(UUID.self, "x") == "not a UUID")
        #expect(UUID(routeParameter: "0DA48C88-1D1C-4B8E-9C3E-0B0D5B6B7D3A") != nil)
        #expect(text(Level.self, "2") == "high")
        #expect(text(Level.self, "3") == "not a whole number that is known")
        #expect(text(Only.self, "two") == "not 'one'")
        #expect(text(Int?.self, "") == "nil")
        #expect(text(Int?.self, "7") == "Optional(7)")
        #expect(text(Int?.self, "x") == "not a whole number, or nothing")
    }

    @Test("only texts take everything")
    func takesEverything() {
        #expect(String.takesEveryRouteParameter)
        #expect(Optional<String>.takesEveryRouteParameter)
        #expect(!Int.takesEveryRouteParameter)
        #expect(!Optional<Int>.takesEveryRouteParameter)
        #expect(!Level.takesEveryRouteParameter)
    }
}
