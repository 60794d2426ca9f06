import Foundation
import Logging
import PurchaseModel
import PurchaseProtocol
import Synchronization
import WireClient

extension DownloadCenter {
    /// Fetches what is missing, as often as the connection breaks, until it is there or can't be had.
    func fetch(_ id: TransactionID, after last: Task<Void, Never>?) -> Task<Void, Never> {
        Task { [weak self, clock] in
            // Two of them would write into one file, and what was thrown away before must be gone.
            await last?.value
            await self?.flush()
            var failures = 0
            while !Task.isCancelled, let delay = await self?.go(on: id, &failures) {
                try? await clock.sleep(for: delay)
            }
        }
    }

    /// Makes an attempt; how long to wait for the next, nil when there is none.
    private func go(on id: TransactionID, _ failures: inout Int) async -> Duration? {
        guard let record = state.withLock({ $0.entries[id]?.record }), record.isWanted else { return nil }
        let before = folder(of: record).received
        let event = await attempt(record)
        // What was stopped meanwhile is over: whoever stopped it has told so.
        guard !Task.isCancelled else { return nil }
        handle(event, of: id)
        guard event == .lost else { return nil }
        failures = folder(of: record).received > before ? 1 : failures + 1
        return retryPolicy.delay(beforeAttempt: failures)
    }

    /// One attempt; what came of it.
    private func attempt(_ record: DownloadRecord) async -> DownloadRecord.Event {
        let folder = folder(of: record)
        let received = record.entityTag == nil ? 0 : folder.received
        do throws(WireClientError) {
            let request = ContentRequest(transaction: record.transaction, offset: received, entityTag: record.entityTag)
            let reply = try await session.content(request, as: record.account)
            guard !Task.isCancelled else { return .lost }
            handle(.began(offset: reply.offset, entityTag: reply.entityTag), of: record.transaction)
            return await take(reply, into: folder, of: record)
        } catch .refused(416, _) {
            // What is there is longer than what is wanted: it is none of it.
            folder.discard()
            return .lost
        } catch let error where error.isPassing {
            return .lost
        } catch {
            return .refused(PaymentFailure(error))
        }
    }

    private func take(_ reply: ContentReply, into folder: DownloadFolder, of record: DownloadRecord) async -> DownloadRecord.Event {
        let handle: FileHandle
        do {
            handle = try folder.open(from: reply.offset)
        } catch {
            return .refused(PaymentFailure(.unknown, "The content can't be kept on this device."))
        }
        defer { try? handle.close() }
        var received = reply.offset
        do {
            for try await chunk in reply.bytes {
                guard !Task.isCancelled else { return .lost }
                do { try handle.write(contentsOf: chunk) } catch {
                    return .refused(PaymentFailure(.unknown, "The content can't be kept on this device."))
                }
                received += Int64(chunk.count)
                self.handle(.received(received), of: record.transaction)
            }
            try handle.synchronize()
        } catch {
            return .lost
        }
        // A connection that ended early looks like a short answer.
        guard received >= reply.length ?? record.content.length else { return .lost }
        do {
            guard let content = try await description(of: record, matching: folder) else {
                logger.warning("the content that came is not what the store describes", metadata: ["product": "\(record.productID)"])
                return .refused(PaymentFailure.wrongContent)
            }
            try folder.install(content, of: record.productID)
            return .completed(folder.place)
        } catch {
            return .refused(PaymentFailure(.unknown, "The content can't be moved to its place."))
        }
    }

    /// What the store says of what came; nil when it says something else.
    ///
    /// Content that the developer has replaced since the purchase has another description by now.
    private func description(of record: DownloadRecord, matching folder: DownloadFolder) async throws -> HostedContent? {
        guard let wanted = record.content.sha256 else { return record.content }
        let found = try folder.sha256()
        if found == wanted.lowercased() { return record.content }
        let reply = try? await session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [record.productID]))
        let now = reply?.products.first { $0.id == record.productID }?.content
        return now?.sha256?.lowercased() == found ? now : nil
    }
}

extension PaymentFailure {
    /// What came is not what was described; what is there of it is thrown away, and the download can be started again.
    fileprivate static var wrongContent: PaymentFailure {
        PaymentFailure(
            domain: URLError.errorDomain, code: URLError.Code.badServerResponse.rawValue,
            message: "The content was damaged on its way: its SHA-256 is not the one that the store states. Start the download again.")
    }
}
