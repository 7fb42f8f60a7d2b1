import GalleryTestSupport

extension RecordedSite {
    /// Flickr. No list of interesting photos and none of favorites was recorded: lists of recent photos and
    /// of photos of somebody, which have the same shape, stand for them.
    static let flickr = RecordedSite(
        service: "flickr", path: "services/rest/", environment: ["GALLERY_FLICKR_KEY": "hush-hush"],
        imageHosts: ["staticflickr.com"],
        recording: { request in
            switch request.query("method") {
            case "flickr.interestingness.getList": "photos_getRecent_2014"
            case "flickr.photos.search": "photos_search_2014"
            case "flickr.people.getPublicPhotos": "people_getPublicPhotos_2014"
            case "flickr.favorites.getPublicList": "people_getPhotosOf_2014"
            case "flickr.urls.lookupUser": "urls_lookupUser"
            case "flickr.people.findByUsername": "people_findByUsername"
            case "flickr.photos.getInfo": "photos_getInfo_2014"
            case "flickr.photos.getSizes": "photos_getSizes_2014"
            default: nil
            }
        })

    /// Pixiv, where every work is the one of three pages that was made after its description.
    static let pixiv = RecordedSite(
        service: "pixiv", path: "", environment: ["GALLERY_PIXIV_SESSION": "31415926_hush"],
        imageHosts: ["i.pximg.net"],
        recording: { request in
            let parts = request.path.split(separator: "/")
            return switch (parts.first, parts.dropFirst().first, parts.count) {
            case ("ranking.php", _, _): "ranking_web_weekly_illust_p1_2022"
            case ("ajax", "search", _): request.query("p") == "1" ? "made_search_p1" : "made_search_p2"
            case ("ajax", "user", _):
                switch parts.last {
                case "all": "ajax_user_profile_all_2022"
                case "illusts": "made_user_illusts"
                case "bookmarks": "ajax_user_bookmarks_2022"
                default: nil
                }
            case ("ajax", "illust", 3): "made_illust_pages"
            case ("ajax", "illust", 4): "made_illust_pages_pages"
            default: nil
            }
        },
        edit: { text, request in
            let parts = request.path.split(separator: "/")
            guard parts.count > 2, parts[1] == "illust" else { return text }
            return text.replacing("87598468", with: parts[2])
        })

    /// Wikimedia Commons: one batch in three answers, whatever list it is asked for.
    static let commons = RecordedSite(
        service: "commons", path: "w/api.php", imageHosts: ["upload.wikimedia.org"],
        recording: { request in
            switch request.query("gucontinue")?.prefix(4) {
            case nil: "commons_query_continue_part1"
            case "Edva": "commons_query_continue_part2"
            default: "commons_query_continue_part3"
            }
        })

    /// 500px, in the two forms of its lists.
    static let fiveHundredPixels = RecordedSite(
        service: "500px", path: "v1", environment: ["GALLERY_500PX_KEY": "hush-hush"],
        imageHosts: ["500px.net", "500px.org"],
        recording: { request in
            switch (request.path, request.query("feature")) {
            case ("/v1/photos/search", _): "search_docs_2012"
            case ("/v1/photos/12539831", _): "detail_2012"
            case ("/v1/photos", "user"): "list_popular_bw_2017"
            case ("/v1/photos", "popular"): "list_popular_docs_2012"
            case ("/v1/photos", .some): "list_popular_landscapes_2017"
            default: nil
            }
        })
}
