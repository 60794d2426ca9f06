package import Hummingbird
package import NIOCore

extension Request {
    /// Reads the whole body.
    ///
    /// - Throws: A refusal: with status 413 when it is longer than `limit` bytes, which is seen before it is sent where its length is
    ///   announced; with 400 when it does not arrive whole, as when the caller hangs up or its chunks are none; with 408 when it comes
    ///   too slowly; with 503 when the bodies of other requests leave no room for it.
    package func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw BodyRefusal.tooLarge(limit: limit) }
        var whole = ByteBuffer()
        do {
            for try await part in body {
                guard part.readableBytes <= limit - whole.readableBytes else { throw BodyRefusal.tooLarge(limit: limit) }
                guard BodyBudget.share?.reserve(part.readableBytes) != false else { throw BodyRefusal.noRoom }
                whole.writeImmutableBuffer(part)
            }
            return whole
        } catch let refusal as any WireRefusal {
            throw refusal
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw BodyRefusal.torn
        }
    }
}
