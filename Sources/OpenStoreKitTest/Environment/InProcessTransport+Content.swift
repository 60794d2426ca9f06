import LocalAppStore
import OpenStoreKit
import PurchaseModel
import WireClient

extension InProcessTransport {
    func content(_ request: ContentRequest, token: String) async throws(WireClientError) -> ContentReply {
        guard let store else { throw .unreachable }
        let path = Endpoint<Empty, Empty>(.get, "/device/v1/content/{transaction}")
            .path(["transaction": request.transaction.rawValue])
        var headers = ["Authorization": "Bearer \(token)"]
        if request.offset > 0, let tag = request.entityTag {
            headers["Range"] = "bytes=\(request.offset)-"
            headers["If-Range"] = tag
        }
        let answer: InProcessAnswer
        do {
            answer = try await store.send("GET", path, headers: headers)
        } catch {
            throw .unreachable
        }
        guard [200, 206].contains(answer.status) else {
            guard let data = try? await answer.data(), let error = try? WireJSON.decode(WireError.self, from: data) else {
                throw .unintelligible(status: answer.status)
            }
            throw .refused(status: answer.status, error)
        }
        let offset = answer.status == 206 ? request.offset : 0
        let rest = answer.header("Content-Length").flatMap { Int64($0) }
        return ContentReply(
            offset: offset, length: rest.map { offset + $0 }, entityTag: answer.header("ETag"), bytes: answer.chunks())
    }
}
