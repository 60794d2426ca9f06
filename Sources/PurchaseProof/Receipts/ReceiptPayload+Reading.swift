import PurchaseModel

extension ReceiptPayload {
    /// Reads the SET that lies there.
    mutating func read(_ range: Range<Int>, _ bytes: [UInt8], _ place: inout ReceiptPlace) throws(ReadFault) {
        let span = bytes.span
        // Apple's purchases have 350 bytes and more; making room at once saves copying them.
        // Apple's purchases have 350 bytes and more; making room at once saves copying them.
        purchases.reserveCapacity(range.count / 350)
        var memory = PurchaseMemory()
        var attributes = try ReceiptAttributes(range, span)
        while let next = try attributes.next(span) {
            guard next.type >= 0, next.type < 64, let field = ReceiptField(rawValue: next.type), field.isRead else { continue }
            place.number = next.type
            if field != .purchase { try attributes.once(next.type) }
            switch next.octets {
            case .piece(let range):
                try read(field, ReceiptValue(range), bytes, &memory, &place)
            case .joined(let octets):
                var memory = PurchaseMemory()
                try read(field, ReceiptValue(0..<octets.count), octets, &memory, &place)
            }
            place.number = nil
        }
        place.number = ReceiptField.bundleID.rawValue
        guard !bundleID.rawValue.isEmpty else { throw ReadFault(.missing, at: range.upperBound) }
        place.number = ReceiptField.creationDate.rawValue
        guard attributes.met(ReceiptField.creationDate.rawValue) else { throw ReadFault(.missing, at: range.upperBound) }
    }

    private mutating func read(
        _ field: ReceiptField, _ value: ReceiptValue, _ bytes: [UInt8], _ memory: inout PurchaseMemory, _ place: inout ReceiptPlace
    ) throws(ReadFault) {
        switch field {
        case .purchase:
            place = ReceiptPlace(purchase: purchases.count)
            purchases.append(try ReceiptPurchase(value.range, bytes, &memory, &place))
            place = ReceiptPlace()
        case .receiptType:
            receiptType = try value.text(bytes) ?? ""
            environment = Self.environment(of: receiptType)
        case .appAppleID: appAppleID = try value.integer(bytes.span)
        case .bundleID:
            bundleID = BundleID(try value.text(bytes) ?? "")
            bundleOctets = Array(bytes[value.range])
        case .appVersion: appVersion = try value.text(bytes) ?? ""
        case .opaqueValue: opaqueValue = Array(bytes[value.range])
        case .deviceHash: deviceHash = Array(bytes[value.range])
        case .downloadDate: downloadDate = try value.date(bytes.span)
        case .toolVersion: toolVersion = try value.integer(bytes.span)
        case .ageRating: ageRating = try value.text(bytes)
        case .developerID: developerID = try value.integer(bytes.span)
        case .creationDate:
            guard let date = try value.date(bytes.span) else { throw ReadFault(.missing, at: value.range.lowerBound) }
            creationDate = date
        case .clientVersion: clientVersion = try value.integer(bytes.span)
        case .deviceModel: deviceModel = try value.integer(bytes.span)
        case .downloadID: downloadID = try value.integer(bytes.span)
        case .versionExternalID: versionExternalID = try value.integer(bytes.span)
        case .originalPurchaseDate: originalPurchaseDate = try value.date(bytes.span)
        case .originalAppVersion: originalAppVersion = try value.text(bytes)
        case .expirationDate: expirationDate = try value.date(bytes.span)
        case .organisation: organisation = try value.text(bytes)
        case .platform: platform = try value.integer(bytes.span)
        case .preorderDate: preorderDate = try value.date(bytes.span)
        default: break
        }
    }

    private static func environment(of receiptType: String) -> AppEnvironment {
        switch receiptType {
        case "Production", "ProductionVPP": .production
        case "Xcode": .xcode
        case "LocalTesting": .localTesting
        default: .sandbox
        }
    }
}
