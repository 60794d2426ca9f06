public import Hummingbird
public import NIOCore

extension Request {
    /// Reads the whole body of the request; a repeated call returns the same body.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: An error with status 413 when the body or its announced length exceeds `limit` bytes, with status 400 when the client closed
    ///   the connection or the chunked encoding is invalid, with status 503 when the bodies of other requests leave no memory, and with
    ///   status 408 when the body arrives too slowly.
    public func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw BodyRefusal.tooLarge(limit: limit) }
        if let known = BodyBudget.share?.body {
            guard known.readableBytes <= limit else { throw BodyRefusal.tooLarge(limit: limit) }
            return known
        }
        var whole = ByteBuffer()
        do {
            for try await part in body {
                guard part.readableBytes <= limit - whole.readableBytes else { throw BodyRefusal.tooLarge(limit: limit) }
                guard BodyBudget.share?.reserve(part.readableBytes) != false else { throw BodyRefusal.memoryExhausted }
                whole.writeImmutableBuffer(part)
            }
            BodyBudget.share?.body = whole
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
