public import Hummingbird
public import NIOCore

extension Request {
    /// Reads the whole body.
    ///
    /// - Throws: A refusal: with status 413 when it is longer than `limit` bytes, with 400 when it does not arrive whole, as when the
    ///   caller hangs up or its chunks are none.
    public func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw BodyRefusal.tooLarge(limit: limit)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw BodyRefusal.torn
        }
    }
}
