import Basics
import Foundation
import PictureFiles
import Testing

/// One small picture of each kind, 7 by 5 pixels: most by Pillow 13 (libjpeg-turbo, libwebp, libavif), so
/// that the bytes are what an independent encoder takes for whole; the others by hand.
package struct SmallPicture: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    package let type: PictureType
    package let bytes: [UInt8]
    package let size: PixelSize?

    package static let all =
        [
            SmallPicture("JPEG", .jpeg, baselineJPEG),
            SmallPicture("progressive JPEG", .jpeg, progressiveJPEG),
            SmallPicture("PNG", .png, png),
            SmallPicture("GIF", .gif, gif),
            SmallPicture("animated GIF", .gif, animatedGIF),
            SmallPicture("lossy WebP", .webp, lossyWebP),
            SmallPicture("lossless WebP", .webp, losslessWebP),
            SmallPicture("WebP with alpha", .webp, alphaWebP),
            SmallPicture("animated WebP", .webp, animatedWebP),
            SmallPicture("AVIF", .avif, avif),
            SmallPicture("AVIF turned by a quarter", .avif, turnedAVIF, PixelSize(width: 5, height: 7)),
            SmallPicture("animated AVIF", .avif, animatedAVIF),
        ] + handmade

    /// One of each kind that the tests put together themselves.
    package static let handmade =
        [
            SmallPicture("AVIF of several extents", .avif, HandmadeISO(extents: 3).bytes),
            SmallPicture("AVIF in long numbers", .avif, HandmadeISO(extents: 2, isWide: true).bytes),
            SmallPicture("AVIF whose pixels go up to the end", .avif, HandmadeISO(isOpenEnded: true).bytes),
            SmallPicture(
                "AVIF with its pixels among its items", .avif, HandmadeISO(isInItemData: true).bytes),
            SmallPicture("AVIF of a grid", .avif, HandmadeISO(isGrid: true).bytes),
            SmallPicture("AVIF with its index at the end", .avif, HandmadeISO(isIndexLast: true).bytes),
            SmallPicture("AVIF of a track alone", .avif, HandmadeISO.sequence()),
            SmallPicture("AVIF of a track, in long offsets", .avif, HandmadeISO.sequence(isWide: true)),
            SmallPicture("HEIC", .heic, HandmadeISO(brand: "heic").bytes),
            SmallPicture("HEIF", .heif, HandmadeISO(brand: "mif1", others: []).bytes),
            SmallPicture(
                "HEIC turned by a quarter", .heic, HandmadeISO(brand: "heic", turns: 3).bytes,
                PixelSize(width: 5, height: 7)),
            SmallPicture("TIFF", .tiff, HandmadeTIFF(.picture(7, 5)).bytes),
            SmallPicture("TIFF, big endian", .tiff, HandmadeTIFF(.picture(7, 5), isLittle: false).bytes),
            SmallPicture("BigTIFF", .tiff, HandmadeTIFF(.picture(7, 5), isBig: true).bytes),
            SmallPicture(
                "TIFF turned by a quarter", .tiff, HandmadeTIFF(.picture(7, 5, [.short(0x112, 6)])).bytes,
                PixelSize(width: 5, height: 7)),
            SmallPicture("TIFF of two pages", .tiff, HandmadeTIFF(.picture(7, 5), .picture(2, 2)).bytes),
            SmallPicture("BMP", .bmp, HandmadeBMP.bytes(7, 5)),
            SmallPicture("BMP from top to bottom", .bmp, HandmadeBMP.bytes(7, -5)),
            SmallPicture("BMP of OS/2", .bmp, HandmadeBMP.old(7, 5)),
            SmallPicture("JPEG XL in a container", .jxl, HandmadeJXL.container(7, 5)),
            SmallPicture(
                "JPEG XL turned by a quarter", .jxl, HandmadeJXL.container(7, 5, orientation: 6),
                PixelSize(width: 5, height: 7)),
            SmallPicture("JPEG XL in parts", .jxl, HandmadeJXL.parts(7, 5)),
        ] + HandmadeRaw.all

    package init(
        _ testDescription: String, _ type: PictureType, _ bytes: [UInt8],
        _ size: PixelSize? = PixelSize(width: 7, height: 5)
    ) {
        self.testDescription = testDescription
        self.type = type
        self.bytes = bytes
        self.size = size
    }

    package static let baselineJPEG = sample(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWG
        kJ6jq62rZ4C8ybqmx5moq6T/wAALCAAFAAcBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABkQAAEFAAAAAAAAAAAAAAAA
        AAEAAwQF4f/aAAgBAQAAPwBCrWCMX//Z
        """)
    package static let progressiveJPEG = sample(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWG
        kJ6jq62rZ4C8ybqmx5moq6T/wgALCAAFAAcBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAAAF//8QAFxAAAwEA
        AAAAAAAAAAAAAAAAAAECA//aAAgBAQABBQKM0f/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEABj8Cf//EABQQAQAAAAAA
        AAAAAAAAAAAAAAD/2gAIAQEAAT8hP//aAAgBAQAAABB//8QAFhABAQEAAAAAAAAAAAAAAAAAAQDh/9oACAEBAAE/EGmX/9k=
        """)
    package static let png = sample(
        """
        iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAAAAACs8akEAAAAKUlEQVR4nAXByQ0AMAgDsCLxy8UE2X/M2vMAAJiSJLmVJHlr
        2/E2SS4fJgoCEBnQYfMAAAAASUVORK5CYII=
        """)
    package static let gif = sample(
        """
        R0lGODdhBwAFAIEAAKeZeiWZG6caFCUaBSwAAAAABwAFAAAIGQAHCBRAUIDAAQUFBFgYAIBDhg4fLowIICAAOw==
        """)
    package static let animatedGIF = sample(
        """
        R0lGODdhBwAFAIEAAKeZeiWZG6caFCUaBSwAAAAABwAFAAAIGQAHCBRAUIDAAQUFBFgYAIBDhg4fLowIICAAIfkEAQAABAAs
        AAAAAAcABQCBp5l6JZkbpxoUJRoFCBkAAQgEEKDgQIIGBRIoGECAQwEDIj6EGDEgADs=
        """)
    package static let lossyWebP = sample(
        """
        UklGRjoAAABXRUJQVlA4IC4AAADQAQCdASoHAAUAB0CWJbACdAD0MYq6AAD+qeyyNpBcXsW4uDApN72ncAJzgKQA
        """)
    package static let losslessWebP = sample(
        """
        UklGRi4AAABXRUJQVlA4TCIAAAAvBgABALkyRPQ/dhHR/4BCthGgOZ2/3YswJZMQEwBkBdoT
        """)
    package static let alphaWebP = sample(
        """
        UklGRl4AAABXRUJQVlA4WAoAAAAQAAAABgAABAAAQUxQSAoAAAABB1CyiAhERP8DVlA4IC4AAADQAQCdASoHAAUAB0CWJbAC
        dAD0MYq6AAD+qeyyNpBcXsW4uDApN72ncAJzgKQA
        """)
    package static let animatedWebP = sample(
        """
        UklGRuAAAABXRUJQVlA4WAoAAAACAAAABgAABAAAQU5JTQYAAAAAAAAAAABBTk1GWAAAAAAAAAAAAAYAAAQAAAAAAAJWUDgg
        QAAAAFABAJ0BKgcABQAHQJYlsAAFjAAA/t3dwTt//0kPZeBL/9hr/ZxLrCdSjuiSiXaP5/l1FHTcje4TWGdgwtAAAABBTk1G
        VAAAAAAAAAAAAAYAAAQAAAAAAABWUDggPAAAAFQBAJ0BKgcABQAAAJYlsAAEdAAA/u0hzxdP/ot9pe1//Qg4bVlyrq3s9gn2
        YvdOecgk/xFooUKqYMAAAA==
        """)
    package static let avif = sample(
        """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAA
        AAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAAJwAAAChpaW5mAAAAAAABAAAAGmluZmUC
        AAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAABwAAAAUAAAAQcGl4aQAAAAADCAgIAAAA
        DGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAL21kYXQSAAoIGAi0aICGg0Iy
        GR7Hh4VZ3///4sCAAJA1ju4YbR8xCd0tCM4=
        """)
    package static let turnedAVIF = sample(
        """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD1bWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAA
        AAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEdAAAAJwAAAChpaW5mAAAAAAABAAAAGmluZmUC
        AAAAAAEAAGF2MDFDb2xvcgAAAAB0aXBycAAAAFRpcGNvAAAAFGlzcGUAAAAAAAAABwAAAAUAAAAQcGl4aQAAAAADCAgIAAAA
        DGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAAAlpcm90AwAAABhpcG1hAAAAAAAAAAEAAQUBAoMEhQAAAC9tZGF0EgAK
        CBgItGiAhoNCMhkex4eFWd///+LAgACQNY7uGG0fMQndLQjO
        """)
    package static let animatedAVIF = sample(
        """
        AAAALGZ0eXBhdmlzAAAAAGF2aWZhdmlzbXNmMWlzbzhtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAA
        cGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAPlAAAAIgAAAChpaW5mAAAA
        AAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAABwAAAAUAAAAQcGl4
        aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAACxm1vb3YA
        AAB4bXZoZAEAAAAAAAAA5ycojAAAAADnJyiMAAAD6P//////////AAEAAAEAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAA
        AQAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAJGdHJhawAAAGh0a2hkAQAAAQAAAADn
        JyiMAAAAAOcnKIwAAAABAAAAAP//////////AAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAA
        AAAAQAAAAAAHAAAABQAAAAAALGVkdHMAAAAkZWxzdAEAAAEAAAABAAAAAAAAAAIAAAAAAAAAAAABAAAAAAGqbWRpYQAAACxt
        ZGhkAQAAAAAAAADnJyiMAAAAAOcnKIwAAAPoAAAAAAAAAAJVxAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAA
        AAABVW1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAARVzdGJs
        AAAAlXN0c2QAAAAAAAAAAQAAAIVhdjAxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAcABQBIAAAASAAAAAAAAAABCkFPTSBD
        b2RpbmcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABBjY3N0AAAA
        AHwAAAAAAAAYc3R0cwAAAAAAAAABAAAAAgAAAAEAAAAcc3RzYwAAAAAAAAABAAAAAQAAAAIAAAABAAAAHHN0c3oAAAAAAAAA
        AAAAAAIAAAAiAAAAGgAAABRzdGNvAAAAAAAAAAEAAAPlAAAAFHN0c3MAAAAAAAAAAQAAAAEAAABEbWRhdBIACgwAAAABFobX
        zICGg0IyEBAA8YAAAsuAAAEEDMKDQYASADIWMAPAgAAAO8gAAAsAAAIAADW8E2+gpA==
        """)

    private static func sample(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }

    /// `jpeg` with a note of its orientation before its first segment, as cameras write it.
    package static func turned(_ jpeg: [UInt8], orientation: UInt8, isLittle: Bool = false) -> [UInt8] {
        let big: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let little: [UInt8] =
            Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
        return segment(0xE1, Array("Exif\0\0".utf8) + (isLittle ? little : big) + [0, 0, 0, 0], in: jpeg)
    }

    /// `jpeg` with another segment before its first.
    package static func segment(_ marker: UInt8, _ content: [UInt8], in jpeg: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return Array(jpeg.prefix(2)) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
            + jpeg.dropFirst(2)
    }
}

/// Some bytes and what they are, for a table.
package struct Sample: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    package let bytes: [UInt8]

    package init(_ description: String, _ bytes: some Sequence<UInt8>) {
        testDescription = description
        self.bytes = Array(bytes)
    }
}

extension [UInt8] {
    /// Changes one to five bytes, half of them to a value at a limit, and may cut the end off.
    package mutating func damage(using random: inout some RandomNumberGenerator) {
        for _ in 0...Int.random(in: 0...4, using: &random) {
            let limit = ([0, 1, 0x7F, 0x80, 0xFF] as [UInt8]).randomElement(using: &random)
            let value = Bool.random(using: &random) ? limit : UInt8.random(in: 0...255, using: &random)
            self[Int.random(in: 0..<count, using: &random)] = value ?? 0
        }
        removeLast(Int.random(in: 0...count / 3, using: &random))
    }
}
