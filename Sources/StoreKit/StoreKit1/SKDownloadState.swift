import CStoreKit
public import Foundation
import OpenStoreKit

extension SKDownloadState {
    init(_ state: DownloadRecord.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .active: .active
            case .paused: .paused
            case .finished: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}

/// The value of ``SKDownload/timeRemaining`` when no estimate is available.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1
