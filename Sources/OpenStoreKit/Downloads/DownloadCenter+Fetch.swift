import Foundation
import Logging
import PurchaseModel
import StoreProtocol
import Synchronization
import Wire

extension DownloadCenter {
    /// Starts a task that fetches the missing bytes of a download.
    ///
    /// The task reconnects after each lost connection. It ends when the content is complete, the store refuses it, or the task is canceled.
    ///
    /// - Parameter last: The previous task of the same download, whose end the new task awaits.
    func fetch(_ id: TransactionID, after last: Task<Void, Never>?) -> Task<Void, Never> {
        Task.detached(executorPreference: fetchExecutor) { [weak self, clock] in
            // The previous task must end first, because two tasks would write to the same file. Discarded bytes must be deleted before the
            // next fetch.
            await last?.value
            await self?.flush()
            var failures = 0
            while !Task.isCancelled, let delay = await self?.fetchOnce(of: id, &failures) {
                try? await clock.sleep(for: delay)
            }
        }
    }

    /// Makes one attempt to fetch the missing bytes of a download, and applies the outcome.
    ///
    /// - Returns: The delay before the next attempt; nil if no further attempt is needed.
    private func fetchOnce(of id: TransactionID, _ failures: inout Int) async -> Duration? {
        guard let record = state.withLock({ $0.entries[id]?.record }), record.isStarted else { return nil }
        let before = folder(of: record).received
        let event = await attempt(record)
        // The call that has canceled this attempt has also announced the new state of the download.
        guard !Task.isCancelled else { return nil }
        handle(event, of: id)
        guard event == .lost else { return nil }
        failures = folder(of: record).received > before ? 1 : failures + 1
        return retryPolicy.delay(beforeAttempt: failures)
    }

    /// Makes one attempt to fetch the missing bytes of a download, and returns the outcome.
    private func attempt(_ record: DownloadRecord) async -> DownloadRecord.Event {
        let folder = folder(of: record)
        let received = record.entityTag == nil ? 0 : folder.received
        do throws(WireClientError) {
            let request = ContentRequest(transaction: record.transaction, offset: received, entityTag: record.entityTag)
            let reply = try await session.content(request, as: record.account)
            guard !Task.isCancelled else { return .lost }
            handle(.began(offset: reply.offset, entityTag: reply.entityTag), of: record.transaction)
            return await receive(reply, into: folder, of: record)
        } catch .refused(416, _) {
            // The received bytes are longer than the content, and therefore belong to another version.
            folder.discard()
            return .lost
        } catch let error where error.isRetryable {
            return .lost
        } catch {
            return .refused(PaymentFailure(error))
        }
    }

    private func receive(_ reply: ContentReply, into folder: DownloadFolder, of record: DownloadRecord) async -> DownloadRecord.Event {
        let handle: FileHandle
        do {
            handle = try folder.open(from: reply.offset)
        } catch {
            return .refused(PaymentFailure(.unknown, "The content can't be saved on this device. Free some space and try again."))
        }
        defer { try? handle.close() }
        var received = reply.offset
        do {
            for try await chunk in reply.bytes {
                guard !Task.isCancelled else { return .lost }
                do { try handle.write(contentsOf: chunk) } catch {
                    return .refused(PaymentFailure(.unknown, "The content can't be saved on this device. Free some space and try again."))
                }
                received += Int64(chunk.count)
                self.handle(.received(received), of: record.transaction)
            }
            try handle.synchronize()
        } catch {
            return .lost
        }
        // A connection that ends early can look like the end of a complete response.
        guard received >= reply.length ?? record.content.length else { return .lost }
        do {
            guard let content = try await description(of: record, matching: folder) else {
                logger.warning("the received content does not match the store's description", metadata: ["product": "\(record.productID)"])
                return .refused(PaymentFailure.wrongContent)
            }
            step(.replacing("content"))
            try folder.install(content, of: record.productID)
            step(.replaced("content"))
            return .completed(folder.contentPath)
        } catch {
            return .refused(PaymentFailure(.unknown, "The downloaded content can't be moved to its folder. Start the download again."))
        }
    }

    /// Returns the store's description of the received content, or nil if no description matches the bytes.
    ///
    /// If the developer has replaced the content since the purchase, the store's current description is fetched and returned.
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
    /// The failure of a download whose bytes do not match the SHA-256 in the store's description.
    ///
    /// The bytes are discarded, and the app can start the download again.
    fileprivate static var wrongContent: PaymentFailure {
        PaymentFailure(
            domain: URLError.errorDomain, code: URLError.Code.badServerResponse.rawValue,
            message: "The downloaded content is damaged: its SHA-256 does not match the store's. Start the download again.")
    }
}
