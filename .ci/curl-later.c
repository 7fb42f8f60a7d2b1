// What Swift's Foundation calls of libcurl, which loads it with the first call.
//
// .ci/release links this in the place of libcurl: that and the thirty libraries below it take two thirds of the time
// in which a short command starts, and only the processes that send requests need it. A function that a later
// Foundation calls as well is missing when the program is linked.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// No function here takes more than four arguments, all of them numbers or pointers: those are handed on as they
// came, in registers, of those that take any number of them too.
typedef long (*function)(long, long, long, long);

static function find(const char *name) {
    void *library = dlopen("libcurl.so.4", RTLD_LAZY);
    void *found = library ? dlsym(library, name) : NULL;
    if (!found) {
        dprintf(STDERR_FILENO,
                "Error: Requests need libcurl 4, which cannot be used: %s.\n"
                "Help: Install it (on Debian: apt install libcurl4).\n",
                dlerror());
        exit(69);
    }
    return (function)found;
}

#define LATER(name)                                    \
    long name(long a, long b, long c, long d) {        \
        static _Atomic(function) known;                \
        if (!known) known = find(#name);               \
        return known(a, b, c, d);                      \
    }

LATER(curl_easy_cleanup)
LATER(curl_easy_getinfo)
LATER(curl_easy_init)
LATER(curl_easy_pause)
LATER(curl_easy_setopt)
LATER(curl_easy_strerror)
LATER(curl_free)
LATER(curl_global_init)
LATER(curl_multi_add_handle)
LATER(curl_multi_assign)
LATER(curl_multi_cleanup)
LATER(curl_multi_info_read)
LATER(curl_multi_init)
LATER(curl_multi_remove_handle)
LATER(curl_multi_setopt)
LATER(curl_multi_socket_action)
LATER(curl_slist_append)
LATER(curl_slist_free_all)
LATER(curl_url)
LATER(curl_url_get)
LATER(curl_url_set)
LATER(curl_version)
LATER(curl_version_info)
