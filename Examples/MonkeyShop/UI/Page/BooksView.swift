import Foundation
import MonkeyShop
import PurchaseKit
import PurchaseModel

struct BooksView: Codable, Equatable, Sendable {
    let books: [Book]
    let reading: Reading?

    /// A book with its button to buy, and the actions for its content.
    struct Book: Codable, Equatable, Sendable {
        let book: MonkeyShopBook
        let id: ProductID
        let title: String
        let card: CardView
        let cover: String
        let coverText: String
        let download: Download?
        /// Whether the content is missing on the phone and can be downloaded.
        let isReadyToDownload: Bool
        let canRead: Bool
        /// Whether the content needs a restore, because this phone has not received the purchase.
        let needsRestore: Bool
        /// Whether the content can be deleted from the phone and downloaded again.
        let canRemove: Bool
    }

    struct Download: Codable, Equatable, Sendable {
        let text: String
        let percent: Int
        let isPaused: Bool
        /// Whether the download can be paused, resumed and canceled.
        let isRunning: Bool
    }

    /// A page of the open book.
    struct Reading: Codable, Equatable, Sendable {
        let text: [String]
        let position: String
        let previous: Int?
        let next: Int?
    }

    @MainActor
    init(_ phone: ShopPhone, _ state: PurchasesState, in text: PageLanguage) {
        books = MonkeyShopBook.allCases.map { Book($0, state, in: text) }
        reading = phone.reader.map { reader in
            let (page, count) = (reader.page, reader.pages.count)
            return Reading(
                text: reader.pages[page], position: text("Page \(page + 1) of \(count)"), previous: page > 0 ? page - 1 : nil,
                next: page + 1 < count ? page + 1 : nil)
        }
    }
}

extension BooksView.Book {
    fileprivate init(_ book: MonkeyShopBook, _ state: PurchasesState, in text: PageLanguage) {
        self.book = book
        id = book.product
        let name: Phrase
        switch book {
        case .receipts: (name, cover, coverText) = ("The book", "cover.svg", text("The cover: a monkey on a ladder"))
        case .atlas: (name, cover, coverText) = ("The atlas", "atlas.svg", text("The cover: a map with bananas"))
        case .songs: (name, cover, coverText) = ("The song book", "songs.svg", text("The cover: a bird that sings in the rain"))
        }
        card = CardView(id, state, title: name, in: text)
        title = card.title
        let hosted = state.hostedDownloads[id].flatMap { BooksView.Download($0, in: text) }
        download = hosted ?? state.downloads[id].map { BooksView.Download($0, in: text) }
        let isOwned = state.entitlement(to: id)?.isActive == true
        let isInstalled = state.installedContent[id] != nil
        // Exclude the song book, which offers a restore instead of a download: the transaction with the hosted download is no longer in the
        // payment queue.
        isReadyToDownload = isOwned && !isInstalled && book != .songs && state.readyToDownload.contains(id)
        canRead = isOwned && isInstalled && download == nil
        canRemove = canRead && book == .atlas
        needsRestore = isOwned && !isInstalled && !isReadyToDownload && download == nil && !state.purchasing.contains(id)
    }
}

extension PurchasesState {
    /// The number of downloads that run or wait for the network.
    var runningDownloads: Int {
        downloads.values.count { $0.state != .paused } + hostedDownloads.values.count { $0.state == .waiting || $0.state == .active }
    }
}

extension BooksView.Download {
    fileprivate init(_ progress: DownloadProgress, in text: PageLanguage) {
        let state: Phrase =
            switch progress.state {
            case .waiting: "Waiting"
            case .active: Self.phrase(progress.fraction, of: progress.length, progress.timeRemaining, in: text)
            case .paused: "Paused"
            }
        self.init(text: text(state), percent: Self.percent(progress.fraction), isPaused: progress.state == .paused, isRunning: true)
    }

    /// Creates the view of a download from the App Store; nil for a finished download.
    fileprivate init?(_ download: HostedDownload, in text: PageLanguage) {
        let state: Phrase
        switch download.state {
        case .waiting: state = "Waiting"
        case .active: state = Self.phrase(download.progress, of: download.length, download.timeRemaining, in: text)
        case .paused: state = "Paused"
        case .failed(let reason): state = Phrase(reason)
        case .canceled: state = "Canceled. Restore your purchases to download the book."
        case .finished: return nil
        }
        let isRunning = download.state == .waiting || download.state == .active || download.state == .paused
        self.init(text: text(state), percent: Self.percent(download.progress), isPaused: download.state == .paused, isRunning: isRunning)
    }

    private static func percent(_ fraction: Double) -> Int { Int((min(max(fraction, 0), 1) * 100).rounded()) }

    private static func phrase(_ fraction: Double, of length: Int64, _ remaining: Duration?, in text: PageLanguage) -> Phrase {
        guard length > 0 else { return "Downloading" }
        let part = "\(percent(fraction)) %"
        let size = ByteCountFormatStyle(style: .file, locale: text.locale).format(length)
        guard let remaining, remaining >= .seconds(1) else { return "\(part) of \(size)" }
        let style = Duration.UnitsFormatStyle(allowedUnits: [.minutes, .seconds], width: .abbreviated)
        let time = remaining.formatted(style.locale(text.locale))
        return "\(part) of \(size), \(time) left"
    }
}
