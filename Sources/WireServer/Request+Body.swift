package import Hummingbird
package import NIOCore

extension Request {
    /// Reads the whole body.
    ///
    /// - Throws: A refusal. Status 413: the body is longer than `limit` bytes, which an announced length shows before the body is sent.
    ///   Status 400: the body is incomplete, because the client closed the connection or the chunked encoding is invalid. Status 408: the
    ///   body arrives too slowly. Status 503: the bodies of other requests leave no memory for the body.
    package func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw BodyRefusal.tooLarge(limit: limit) }
        var whole = ByteBuffer()
        do {
            for try await part in body {
                guard part.readableBytes <= limit - whole.readableBytes else { throw BodyRefusal.tooLarge(limit: limit) }
                guard BodyBudget.share?.reserve(part.readableBytes) != false else { throw BodyRefusal.memoryExhausted }
                whole.writeImmutableBuffer(part)
            }
            return whole
        } catch let refusal as any WireRefusal {
            throw refusal
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw BodyRefusal.incomplete
        }
    }
}
