import PictureFiles

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
        origins = metadata.origins
    }

    /// What a picture's file says of itself, and nothing else: not even of which photo it is.
    package init(ofFileSaying metadata: PictureMetadata, size: PixelSize?) {
        self.init(photo: Photo(id: .none, title: "", size: size))
        photo.takenDate = metadata.taken
        take(metadata)
    }
}

extension PhotoID {
    package static let none = PhotoID(service: "", value: "")
}
