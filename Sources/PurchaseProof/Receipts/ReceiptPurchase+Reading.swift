import PurchaseModel

extension ReceiptPurchase {
    /// Stands for a date that was not read; no text can say it.
    static let noDate = Timestamp(milliseconds: .min)

    /// Reads the SET that lies there.
    @inline(__always)
    mutating func read(
        _ range: Range<Int>, _ bytes: [UInt8], _ memory: inout PurchaseMemory, _ place: inout ReceiptPlace
    ) throws(ReadFault) {
        let span = bytes.span
        memory.transaction = 0..<0
        var attributes = try ReceiptAttributes(range, span)
        while let next = try attributes.next(span) {
            guard next.type >= 1700, next.type < 1764, let field = ReceiptField(rawValue: next.type), field.isRead
            else { continue }
            place.number = next.type
            try attributes.once(next.type - 1700)
            switch next.octets {
            case .piece(let range):
                try read(field, ReceiptValue(range), bytes, &memory)
            case .joined(let octets):
                var memory = PurchaseMemory()
                try read(field, ReceiptValue(0..<octets.count), octets, &memory)
            }
            place.number = nil
        }
        try fillIn(&place, at: range.upperBound)
    }

    /// Puts in what others stand for, and throws when something is missing that nothing stands for.
    private mutating func fillIn(_ place: inout ReceiptPlace, at end: Int) throws(ReadFault) {
        if productID.rawValue.isEmpty { place.number = ReceiptField.productID.rawValue }
        if transactionID.rawValue.isEmpty { place.number = ReceiptField.transactionID.rawValue }
        if originalTransactionID.rawValue.isEmpty { originalTransactionID = transactionID }
        if purchaseDate == Self.noDate { purchaseDate = originalPurchaseDate }
        if originalPurchaseDate == Self.noDate { originalPurchaseDate = purchaseDate }
        if purchaseDate == Self.noDate { place.number = ReceiptField.purchaseDate.rawValue }
        guard place.number == nil else { throw ReadFault(.missing, at: end) }
    }

    @inline(__always)
    private mutating func read(
        _ field: ReceiptField, _ value: ReceiptValue, _ bytes: [UInt8], _ memory: inout PurchaseMemory
    ) throws(ReadFault) {
        switch field {
        case .quantity:
            if let number = try value.integer(bytes.span) {
                // Nothing, or less than nothing, can't be bought, and must not be added to what somebody has.
                guard number > 0 else { throw ReadFault(.value, at: value.range.lowerBound) }
                quantity = Int(number)
            }
        case .productID: productID = ProductID(try memory.product.text(value, bytes) ?? "")
        case .transactionID:
            transactionID = TransactionID(try value.text(bytes) ?? "")
            memory.transaction = try value.content(bytes.span)
        case .purchaseDate: if let date = try memory.date.date(value, bytes.span) { purchaseDate = date }
        case .originalTransactionID:
            if bytes.span.isSame(try value.content(bytes.span), memory.transaction) {
                originalTransactionID = transactionID
            } else {
                originalTransactionID = TransactionID(try memory.original.text(value, bytes) ?? "")
            }
        case .purchaseOriginalDate: if let date = try memory.date.date(value, bytes.span) { originalPurchaseDate = date }
        case .productType: productTypeCode = try value.integer(bytes.span)
        case .expiresDate: expiresDate = try value.date(bytes.span)
        case .itemID: itemID = try value.integer(bytes.span)
        case .webOrderLineItemID: webOrderLineItemNumber = try value.integer(bytes.span)
        case .cancellationDate: cancellationDate = try value.date(bytes.span)
        case .isTrialPeriod: isTrialPeriod = try value.integer(bytes.span).map { $0 != 0 }
        case .isInIntroOfferPeriod: isInIntroOfferPeriod = try value.integer(bytes.span).map { $0 != 0 }
        case .cancellationReason: cancellationReason = try value.integer(bytes.span)
        case .promotionalOfferID: promotionalOfferID = try value.text(bytes)
        case .ownership: ownership = try value.integer(bytes.span)
        default: break
        }
    }
}
