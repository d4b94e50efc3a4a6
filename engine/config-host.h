/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fio's headers want to know of the host. fio's own configure writes such a file; the
 * engine only needs headers that parse: no layout it uses depends on the rest (abi.c checks).
 */
#define CONFIG_64BIT
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CONFIG_LITTLE_ENDIAN
#else
#define CONFIG_BIG_ENDIAN
#endif
#define CONFIG_CLOCK_GETTIME
#define CONFIG_CLOCK_MONOTONIC
#define CONFIG_HAVE_BOOL
#define CONFIG_STRSEP
#define CONFIG_STRCASESTR
#define CONFIG_STRNDUP
#define CONFIG_GETOPT_LONG_ONLY
#define CONFIG_RUSAGE_THREAD
#define CONFIG_SCHED_IDLE
#define CONFIG_SOCKLEN_T
#define CONFIG_INET_ATON
#define CONFIG_HAVE_GETTID
#define CONFIG_HAVE_KERNEL_RWF_T
#define CONFIG_HAVE_ASPRINTF
#define CONFIG_HAVE_VASPRINTF
#define CONFIG_STATIC_ASSERT
#define CONFIG_3ARG_AFFINITY
#define CONFIG_TLS_THREAD
#define CONFIG_SFAA
#define CONFIG_PWRITEV
#define CONFIG_PWRITEV2
#define CONFIG_SYNC_FILE_RANGE
#define CONFIG_LINUX_FALLOCATE
#define CONFIG_LINUX_SPLICE
