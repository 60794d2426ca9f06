import Dispatch

/// The input of a fuzz target.
public enum FuzzInput {
    /// Returns a copy of the bytes.
    public static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Waits for asynchronous work, because libFuzzer calls a synchronous function.
    public static func wait(_ work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            done.signal()
        }
        done.wait()
    }
}
