import ServiceHealth
import Testing

@Suite("The first elements of an order")
struct ForemostTests {
    @Test("are those that sorting all of them yields, in any order of adding", arguments: [0, 1, 3, 10, 200])
    func first(_ most: Int) {
        let numbers = (0..<100).map { $0 * 37 % 101 }
        for order in [numbers, numbers.sorted(), Array(numbers.sorted().reversed())] {
            var foremost = Foremost<Int>(most, by: <)
            for number in order { foremost.add(number) }
            #expect(foremost.sorted == Array(numbers.sorted().prefix(most)))
            #expect(foremost.count == 100)
        }
    }
}
