internal import CNGHTTP2
internal import HTTP1

/// The memory that the HTTP/2 sessions of a loop work in, one after the other, and what they count.
package struct StreamBuffers {
    let functions: c_nghttp2_table
    let callbacks: OpaquePointer
    let options: OpaquePointer
    /// Where a head is composed.
    let head = UnsafeMutablePointer<UInt8>.allocate(capacity: HeadComposer.capacity)
    /// Room for the fields of an answer.
    let fields = UnsafeMutablePointer<nghttp2_nv>.allocate(capacity: PreparedMessage.maxFields + 1)
    let pool = UnsafeMutablePointer<MemoryPool>.allocate(capacity: 1)
    private let faults = UnsafeMutablePointer<UInt64>.allocate(capacity: StreamFault.allCases.count)
    /// Memory of answers to use again.
    private var spare: UnsafeMutablePointer<StreamAnswer>?

    /// Makes buffers at an address of their own, because sessions keep it. They are in use until `deallocate`.
    package static func allocate(_ library: HTTP2Library) -> UnsafeMutablePointer<StreamBuffers> {
        let buffers = UnsafeMutablePointer<StreamBuffers>.allocate(capacity: 1)
        buffers.initialize(to: StreamBuffers(library))
        return buffers
    }

    /// Call it when all sessions are gone.
    package static func deallocate(_ buffers: UnsafeMutablePointer<StreamBuffers>) {
        while let answer = buffers.pointee.spare {
            buffers.pointee.spare = answer.pointee.next
            answer.deallocate()
        }
        buffers.pointee.pool.pointee.deallocate()
        buffers.pointee.pool.deallocate()
        buffers.pointee.head.deallocate()
        buffers.pointee.fields.deallocate()
        buffers.pointee.faults.deallocate()
        buffers.deinitialize(count: 1)
        buffers.deallocate()
    }

    private init(_ library: HTTP2Library) {
        functions = library.functions
        callbacks = library.callbacks
        options = library.options
        pool.initialize(to: MemoryPool())
        faults.initialize(repeating: 0, count: StreamFault.allCases.count)
    }

    /// The number of times that connections were ended or streams reset for a reason.
    package subscript(fault: StreamFault) -> UInt64 { faults[fault.index] }

    func count(_ fault: StreamFault) { faults[fault.index] &+= 1 }

    mutating func makeAnswer(_ answer: StreamAnswer) -> UnsafeMutablePointer<StreamAnswer> {
        let memory = spare ?? .allocate(capacity: 1)
        if spare != nil { spare = memory.pointee.next }
        memory.initialize(to: answer)
        return memory
    }

    mutating func recycle(_ answer: UnsafeMutablePointer<StreamAnswer>) {
        answer.pointee.next = spare
        spare = answer
    }
}
