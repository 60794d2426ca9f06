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

/// The time that remains when it can't be told.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1
