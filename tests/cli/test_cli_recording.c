// Recordings: frames are on disk, come back as they were, and are thinned in place.
#include "support/program.h"

#include "cli/record/recording.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum
{
    BODIES = 1000,
    CONTACTS = 400, // at most, of a frame
};

// -----------------------------------------------------------------------------------------------------------
// A recording
// -----------------------------------------------------------------------------------------------------------

static uint32_t contacts_of(uint32_t frame)
{
    return frame * 37 % CONTACTS;
}

/// All bytes are set: comparing them tells whether a frame is the one that was added.
static void fill_poses(uint32_t frame, RecordedPose* poses)
{
    memset(poses, 0, BODIES * sizeof(RecordedPose));
    for (uint32_t i = 0; i < BODIES; ++i)
    {
        poses[i].position = (AbutPosition){ frame, i, 0.5 };
        poses[i].asleep = i % 2 == 0;
    }
}

static void fill_contacts(uint32_t frame, RecordedContact* contacts)
{
    memset(contacts, 0, CONTACTS * sizeof(RecordedContact));
    for (uint32_t i = 0; i < contacts_of(frame); ++i)
    {
        contacts[i].position = (AbutPosition){ frame, i, 1.0 };
        contacts[i].bodies[0] = i;
    }
}

static void create(Recording* recording, size_t byte_limit)
{
    RecordingDef def = {
        .title = "bodies", .path = "out.csv", .body_count = BODIES, .byte_limit = byte_limit
    };
    assert_true(recording_create(recording, &def));
    recording->dt = 1.0;
}

static bool add_frame(Recording* recording, uint32_t index)
{
    static RecordedPose poses[BODIES];
    static RecordedContact contacts[CONTACTS];
    fill_poses(index, poses);
    fill_contacts(index, contacts);
    RecordedFrame frame = { .time = index,
                            .max_penetration = (float)index,
                            .contact_count = contacts_of(index) };
    return recording_add_frame(recording, &frame, poses, contacts);
}

/// Frame `index` of the recording is the one that was added as `added`.
static void check_frame(const Recording* recording, uint32_t index, uint32_t added)
{
    static RecordedPose poses[BODIES], expected_poses[BODIES];
    static RecordedContact contacts[CONTACTS], expected_contacts[CONTACTS];
    const RecordedFrame* frame = &recording->frames[index];
    assert_true(frame->time == added);
    assert_int_equal(frame->contact_count, contacts_of(added));
    fill_poses(added, expected_poses);
    fill_contacts(added, expected_contacts);
    assert_true(recording_read_poses(recording, index, 0, BODIES, poses));
    assert_memory_equal(poses, expected_poses, sizeof(poses));
    assert_true(recording_read_poses(recording, index, BODIES - 3, 3, poses));
    assert_memory_equal(poses, expected_poses + BODIES - 3, 3 * sizeof(RecordedPose));
    assert_true(recording_read_contacts(recording, frame, contacts));
    assert_memory_equal(contacts, expected_contacts, frame->contact_count * sizeof(RecordedContact));
}

/// Bytes of the largest resident set so far.
static double peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

// -----------------------------------------------------------------------------------------------------------
// Tests
// -----------------------------------------------------------------------------------------------------------

static void test_frames_take_disk_and_no_memory(void** state)
{
    (void)state;
    enum
    {
        FRAMES = 2000
    };
    Recording recording;
    create(&recording, (size_t)1 << 30);
    assert_true(add_frame(&recording, 0));
    check_frame(&recording, 0, 0);
    double before = peak();
    for (uint32_t i = 1; i < FRAMES; ++i)
    {
        assert_true(add_frame(&recording, i));
    }
    for (uint32_t i = 0; i < FRAMES; i += 97)
    {
        check_frame(&recording, i, i);
    }
    assert_int_equal(recording.thinned, 0);
    assert_true(recording_bytes(&recording) > 150000000);
    test_assert_near(peak() - before, 0.0, 4e6);
    recording_destroy(&recording);
}

static void test_thinned_recordings_keep_even_frames_as_they_were(void** state)
{
    (void)state;
    enum
    {
        FRAMES = 333
    };
    Recording recording;
    create(&recording, 2000000);
    for (uint32_t i = 0; i < FRAMES; ++i)
    {
        if (i % (1u << recording.thinned) == 0)
        {
            assert_true(add_frame(&recording, i));
        }
        assert_true(recording_bytes(&recording) <= recording.byte_limit);
        assert_true(recording.poses.size + recording.contacts.size <= recording.byte_limit);
    }
    uint32_t stride = 1u << recording.thinned;
    assert_true(recording.thinned > 2 && recording.dt == stride);
    assert_int_equal(recording.frame_count, (FRAMES - 1) / stride + 1);
    for (uint32_t i = 0; i < recording.frame_count; ++i)
    {
        check_frame(&recording, i, i * stride);
    }
    recording_destroy(&recording);
}

static void test_a_recording_has_no_name_in_its_folder(void** state)
{
    (void)state;
    Recording recording;
    RecordingDef def = { .title = "", .path = "folder/x.csv", .body_count = BODIES, .byte_limit = 1 << 24 };
    test_check_run("mkdir folder", 0, "", "");
    assert_true(recording_create(&recording, &def));
    assert_true(add_frame(&recording, 0));
    test_check_run("test -z \"$(ls -A folder)\" && echo empty", 0, "empty", "");
    recording_destroy(&recording);
}

/// The frames before it are still there.
static void test_a_full_disk_refuses_the_frame(void** state)
{
    (void)state;
    Recording recording;
    create(&recording, (size_t)1 << 30);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    struct rlimit lower = { 100000, limit.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &lower), 0);
    assert_true(add_frame(&recording, 0));
    assert_false(add_frame(&recording, 1));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(recording.frame_count, 1);
    check_frame(&recording, 0, 0);
    recording_destroy(&recording);
}

static void test_a_folder_that_takes_no_files_is_done_without(void** state)
{
    (void)state;
    Recording recording;
    RecordingDef def = {
        .title = "", .path = "/dev/full/x.csv", .body_count = BODIES, .byte_limit = 1 << 24
    };
    assert_true(recording_create(&recording, &def));
    assert_true(add_frame(&recording, 0));
    check_frame(&recording, 0, 0);
    recording_destroy(&recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_take_disk_and_no_memory),
        cmocka_unit_test(test_thinned_recordings_keep_even_frames_as_they_were),
        cmocka_unit_test(test_a_recording_has_no_name_in_its_folder),
        cmocka_unit_test(test_a_full_disk_refuses_the_frame),
        cmocka_unit_test(test_a_folder_that_takes_no_files_is_done_without),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
