import AssociationServer
import DomainNames
import EventLoops
import Foundation
import TestSupport
import Testing

/// From the loops to the sink: nothing is lost but what cannot be written, and that is counted.
@Suite("The access log")
struct AccessLogTests {
    private let reports = AccessLogReports()

    /// The numbers of `AccessLogRequest.numbered` in a log; −1 for a line that is broken.
    private func numbers(_ log: [UInt8]) -> [Int] {
        log.split(separator: UInt8(ascii: "\n")).map { line in
            let text = String(decoding: line, as: UTF8.self)
            guard text.hasPrefix("{\"address\":\""), text.hasSuffix("\"1.3\"}"),
                let start = text.range(of: "\"target\":\"/"), let end = text.range(of: "\",\"time\"")
            else { return -1 }
            return Int(text[start.upperBound..<end.lowerBound]) ?? -1
        }
    }

    /// Those of the next so many lines.
    private func numbers(in pipe: AccessLogPipe, _ count: Int) -> [Int] {
        numbers(pipe.read { $0.last == UInt8(ascii: "\n") && numbers($0).count >= count })
    }

    @Test("several loops write into one file, and nothing is lost when it is closed")
    func severalLoops() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/access.log"
        // So many blocks that the writer cannot be too slow.
        let log = try #require(try reports.open(.file(path), blockBytes: 10_000, blocksPerLoop: 2_000))
        let loops = 4
        let lines = 5_000
        DispatchQueue.concurrentPerform(iterations: loops) { loop in
            let buffer = log.makeBuffer()
            for line in 0..<lines { AccessLogRequest.numbered(loop * lines + line).append(to: buffer) }
            buffer.flush()
        }
        log.close()
        #expect(log.droppedLines == 0)
        let found = numbers(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(found.count == loops * lines)
        for loop in 0..<loops {
            let own = found.filter { $0 / lines == loop && $0 >= 0 }
            #expect(own == Array(loop * lines..<(loop + 1) * lines))
        }
        #expect(reports.all == [])
    }

    @Test("a buffer that is forgotten hands over what it has")
    func forgottenBuffer() throws {
        let folder = try TemporaryFolder()
        let log = try #require(try reports.open(.file("\(folder.path)/access.log")))
        for number in 0..<3 { AccessLogRequest.numbered(number).append(to: log.makeBuffer()) }
        log.close()
        #expect(numbers([UInt8](try Data(contentsOf: folder.url.appendingPathComponent("access.log")))) == [0, 1, 2])
    }

    @Test("what comes after the end is counted, and closing twice is no harm")
    func afterClose() throws {
        let folder = try TemporaryFolder()
        let log = try #require(try reports.open(.file("\(folder.path)/access.log")))
        let buffer = log.makeBuffer()
        log.close()
        log.close()
        for number in 0..<3 { AccessLogRequest.numbered(number).append(to: buffer) }
        #expect(log.droppedLines == 0)
        buffer.flush()
        #expect(log.droppedLines == 3)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("access.log")).isEmpty)
    }

    @Test("without a sink there is no log")
    func none() throws {
        #expect(try reports.open(.none) == nil)
    }

    @Test("lines are handed over when they are a second old")
    func age() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("access.log")
        let log = try #require(try reports.open(.file(file.path)))
        let buffer = log.makeBuffer()
        #expect(buffer.isEmpty)
        buffer.flushIfOlder(than: 1_000, now: 50_000)
        AccessLogRequest.numbered(1).append(to: buffer)
        for now in [50_000, 50_250, 50_999] as [Int64] {
            buffer.flushIfOlder(than: 1_000, now: now)
            #expect(!buffer.isEmpty)
        }
        buffer.flushIfOlder(than: 1_000, now: 51_000)
        #expect(buffer.isEmpty)
        #expect(AccessLogReports.wait { (try? Data(contentsOf: file).isEmpty) == false })
        AccessLogRequest.numbered(2).append(to: buffer)
        buffer.flushIfOlder(than: 1_000, now: 51_250)
        #expect(!buffer.isEmpty)
        // The block before may still be with the writer, for a moment.
        #expect(
            AccessLogReports.wait {
                buffer.flushIfOlder(than: 1_000, now: 52_000)
                return buffer.isEmpty
            })
        log.close()
        #expect(numbers([UInt8](try Data(contentsOf: file))) == [1, 2])
    }

    @Test("lines are handed over when there are enough")
    func size() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("access.log")
        let log = try #require(try reports.open(.file(file.path), blockBytes: 3_000))
        let buffer = log.makeBuffer()
        var count = 0
        repeat {
            AccessLogRequest.numbered(count).append(to: buffer)
            count += 1
        } while !buffer.isEmpty
        #expect((3_000...3_300).contains(count * AccessLogRequest.numbered(1).line(.json).count))
        #expect(AccessLogReports.wait { (try? Data(contentsOf: file).count) ?? 0 >= 3_000 })
        log.close()
    }

    @Test(
        "while nobody reads lines are dropped, and every one is counted",
        arguments: [(isSocket: false, isShared: false), (false, true), (true, true)])
    func blocked(isSocket: Bool, isShared: Bool) throws {
        let pipe = try AccessLogPipe(isSocket: isSocket)
        pipe.fill()
        // Shared, it is a descriptor that blocks, as standard output is.
        let sink = isShared ? ServerConfiguration.LogSink.standardOutput : .file(pipe.path)
        let opened = try reports.open(sink, blockBytes: 4_000, blocksPerLoop: 3, standardOutput: pipe.writeEnd)
        let log = try #require(opened)
        let buffer = log.makeBuffer()
        let lines = 1_000
        for number in 0..<lines { AccessLogRequest.numbered(number).append(to: buffer) }
        let dropped = log.droppedLines
        // One client has two of the three blocks, and a line more in each than what makes it full.
        let kept = 2 * (4_000 / AccessLogRequest.numbered(99).line(.json).count + 1)
        #expect(dropped == UInt64(lines - kept))
        #expect(reports.contain("its reader does not read; \(dropped) lines are lost so far"))
        // It does not matter how long this goes on.
        for number in 0..<100 { AccessLogRequest.numbered(number).append(to: buffer) }
        #expect(log.droppedLines == dropped + 100)
        #expect(numbers(in: pipe, kept) == Array(0..<kept))
        #expect(reports.contain("can be written again; \(dropped + 100) lines are lost"))
        // And on it goes.
        for number in lines..<lines + 10 { AccessLogRequest.numbered(number).append(to: buffer) }
        buffer.flush()
        #expect(numbers(in: pipe, 10) == Array(lines..<lines + 10))
        #expect(log.droppedLines == dropped + 100)
        log.close()
        #expect(pipe.readToEnd().isEmpty)
        #expect(reports.all.count == 2)
    }

    @Test("a client that writes more than anybody can take loses its own lines, and not those of others")
    func floodOfOneClient() throws {
        let pipe = try AccessLogPipe()
        pipe.fill()
        let log = try #require(try reports.open(.file(pipe.path)))
        let buffer = log.makeBuffer()
        let others = 200
        var now: Int64 = 0
        for number in 0..<others {
            // Several connections of one client count as one; time passes meanwhile.
            for _ in 0..<200 { AccessLogRequest.numbered(1_000_000).append(to: buffer) }
            var request = AccessLogRequest.numbered(number)
            request.address = IPAddress(ipv4: 0x0A00_0000 | UInt32(number))
            request.append(to: buffer)
            now += 50
            buffer.flushIfOlder(than: 1_000, now: now)
        }
        let lost = log.droppedLines
        #expect(lost > 0)
        buffer.flush()
        let written = others * 201 - Int(lost)
        let found = numbers(in: pipe, written)
        log.close()
        #expect(log.droppedLines == lost)
        #expect(found.count == written)
        #expect(found.count { $0 < others && $0 >= 0 } == others)
    }

    @Test("beside a flood, clients that write much less lose no lines, however steadily they write")
    func floodBesideSteadyClients() throws {
        let pipe = try AccessLogPipe()
        pipe.fill()
        let log = try #require(try reports.open(.file(pipe.path)))
        let buffer = log.makeBuffer()
        let (steady, clients) = (360, 8)
        for number in 0..<steady {
            for _ in 0..<200 { AccessLogRequest.numbered(1_000_000).append(to: buffer) }
            var request = AccessLogRequest.numbered(number)
            request.address = IPAddress(ipv4: 0x0A00_0000 | UInt32(number % clients))
            request.append(to: buffer)
        }
        // Each of them has written more than 8 KiB.
        #expect(steady / clients * AccessLogRequest.numbered(100).line(.json).count > 8_192)
        buffer.flush()
        let written = steady * 201 - Int(log.droppedLines)
        let found = numbers(in: pipe, written)
        log.close()
        #expect(found.count == written && found.count { $0 < steady && $0 >= 0 } == steady)
    }

    @Test("beside many floods, clients that write little lose no lines")
    func manyFloods() throws {
        let pipe = try AccessLogPipe()
        pipe.fill()
        let log = try #require(try reports.open(.file(pipe.path)))
        let buffer = log.makeBuffer()
        let (few, floods) = (200, 20)
        for number in 0..<few {
            for flood in 0..<10 * floods {
                var request = AccessLogRequest.numbered(1_000_000)
                request.address = IPAddress(ipv4: 0x0B00_0000 | UInt32(flood % floods))
                request.append(to: buffer)
            }
            var request = AccessLogRequest.numbered(number)
            request.address = IPAddress(ipv4: 0x0A00_0000 | UInt32(number))
            request.append(to: buffer)
        }
        buffer.flush()
        let written = few * (10 * floods + 1) - Int(log.droppedLines)
        let found = numbers(in: pipe, written)
        log.close()
        // One may share both slots of its own with floods.
        #expect(found.count == written && found.count { $0 < few && $0 >= 0 } >= few - 1)
    }

    @Test("while the writer is behind, a few lines do not take a block of their own")
    func gathering() throws {
        let pipe = try AccessLogPipe()
        pipe.fill()
        let log = try #require(try reports.open(.file(pipe.path)))
        let buffer = log.makeBuffer()
        AccessLogRequest.numbered(0).append(to: buffer)
        buffer.flush()
        for number in 1...100 {
            AccessLogRequest.numbered(number).append(to: buffer)
            buffer.flushIfOlder(than: 1_000, now: Int64(number) * 10_000)
            #expect(!buffer.isEmpty)
        }
        #expect(log.droppedLines == 0)
        #expect(numbers(in: pipe, 1) == [0])
        #expect(
            AccessLogReports.wait {
                buffer.flushIfOlder(than: 1_000, now: 2_000_000)
                return buffer.isEmpty
            })
        #expect(numbers(in: pipe, 100) == Array(1...100))
        log.close()
    }

    @Test("closing waits two seconds for a reader, and counts what is left", arguments: [false, true])
    func closingBlocked(isShared: Bool) throws {
        let pipe = try AccessLogPipe()
        let sink = isShared ? ServerConfiguration.LogSink.standardOutput : .file(pipe.path)
        let log = try #require(try reports.open(sink, standardOutput: pipe.writeEnd))
        let buffer = log.makeBuffer()
        let lines = 1_000
        for number in 0..<lines { AccessLogRequest.numbered(number).append(to: buffer) }
        buffer.flush()
        let begin = Clock.monotonicMilliseconds()
        log.close()
        let time = Clock.monotonicMilliseconds() - begin
        #expect((1_500...20_000).contains(time), "\(time) ms")
        let lost = log.droppedLines
        #expect(lost > 0)
        let end = "could not be written completely: its reader does not read; \(lost) lines are lost"
        #expect(reports.all.count == 1 && reports.all.last?.hasSuffix(end) == true)
        #expect(UInt64(numbers(pipe.readToEnd()).count { $0 >= 0 }) + lost == UInt64(lines))
    }

    @Test("lines stay whole in a pipe that others write to, too")
    func sharedPipe() throws {
        let pipe = try AccessLogPipe()
        let opened = try reports.open(
            .standardOutput, blockBytes: 9_000, blocksPerLoop: 1_000, standardOutput: pipe.writeEnd)
        let log = try #require(opened)
        let lines = 4_000
        let writers = DispatchGroup()
        let end = dup(pipe.writeEnd)
        DispatchQueue.global().async(group: writers) {
            for _ in 0..<lines { _ = write(end, "other\n", 6) }
            close(end)
        }
        DispatchQueue.global().async(group: writers) {
            let buffer = log.makeBuffer()
            for number in 0..<lines { AccessLogRequest.numbered(number).append(to: buffer) }
            buffer.flush()
        }
        let reader = DispatchQueue(label: "reader")
        nonisolated(unsafe) var all: [UInt8] = []
        nonisolated(unsafe) let source = pipe
        reader.async { all = source.readToEnd() }
        writers.wait()
        log.close()
        reader.sync {}
        let texts = String(decoding: all, as: UTF8.self).split(separator: "\n")
        #expect(texts.count { $0 == "other" } == lines)
        #expect(numbers(Array(texts.filter { $0 != "other" }.joined(separator: "\n").utf8)) == Array(0..<lines))
    }
}
