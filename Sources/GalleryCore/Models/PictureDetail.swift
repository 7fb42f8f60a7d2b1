extension PhotoDetail {
    /// Takes what a file says of the camera, the place, and the colors.
    mutating func take(_ metadata: PictureMetadata) {
        camera = metadata.camera
        lens = metadata.lens
        focalLength = metadata.focalLength
        iso = metadata.iso
        shutterSpeed = metadata.shutterSpeed
        aperture = metadata.aperture
        colorProfile = metadata.colorProfile
        latitude = metadata.latitude
        longitude = metadata.longitude
    }

    /// What an open picture file of `length` bytes says of itself, and nothing else: not even of which photo it is.
    /// This blocks.
    package init(ofFile descriptor: Int32, length: Int64, _ type: PictureType, _ size: PixelSize) {
        let metadata = PictureMetadata(PictureBytes(descriptor: descriptor, length: length), type)
        self.init(
            photo: Photo(
                id: .none, title: "", size: size, taken: metadata.taken?.date,
                isTakenInLocalTime: metadata.taken?.zone == nil))
        photo.takenOffset = metadata.taken?.offset
        take(metadata)
    }
}

extension PhotoID {
    /// Of no photo in particular.
    package static let none = PhotoID(service: "", value: "")
}
