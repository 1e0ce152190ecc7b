/// @file tour_calls.h
/// Every public function that computes, between tour_before_call() and tour_after_call(): what the tour
/// itself computes is none of their business.
#ifndef ABUT_TEST_TOUR_CALLS_H
#define ABUT_TEST_TOUR_CALLS_H

#include "support/tour.h"
#include <abut/bvh.h>
#include <abut/models.h>

#define TOUR_CALL(call)                                                                                      \
    __extension__({                                                                                          \
        tour_before_call();                                                                                  \
        __typeof__(call) tour_answer_ = call;                                                                \
        tour_after_call();                                                                                   \
        tour_answer_;                                                                                        \
    })
#define TOUR_RUN(call)                                                                                       \
    do                                                                                                       \
    {                                                                                                        \
        tour_before_call();                                                                                  \
        call;                                                                                                \
        tour_after_call();                                                                                   \
    } while (0)

// clang-format off
#define abut_bake_distances(...) TOUR_CALL(abut_bake_distances(__VA_ARGS__))
#define abut_bake_estimate(...) TOUR_CALL(abut_bake_estimate(__VA_ARGS__))
#define abut_bake_estimate_mesh(...) TOUR_CALL(abut_bake_estimate_mesh(__VA_ARGS__))
#define abut_bake_mesh(...) TOUR_CALL(abut_bake_mesh(__VA_ARGS__))
#define abut_bake_shape(...) TOUR_CALL(abut_bake_shape(__VA_ARGS__))
#define abut_bake_update_mesh(...) TOUR_CALL(abut_bake_update_mesh(__VA_ARGS__))
#define abut_bake_update_shape(...) TOUR_CALL(abut_bake_update_shape(__VA_ARGS__))
#define abut_bake_values(...) TOUR_CALL(abut_bake_values(__VA_ARGS__))
#define abut_body_apply_force(...) TOUR_CALL(abut_body_apply_force(__VA_ARGS__))
#define abut_body_create(...) TOUR_CALL(abut_body_create(__VA_ARGS__))
#define abut_body_set_material(...) TOUR_CALL(abut_body_set_material(__VA_ARGS__))
#define abut_body_set_pose(...) TOUR_CALL(abut_body_set_pose(__VA_ARGS__))
#define abut_body_set_velocity(...) TOUR_CALL(abut_body_set_velocity(__VA_ARGS__))
#define abut_body_state(...) TOUR_CALL(abut_body_state(__VA_ARGS__))
#define abut_broad_add(...) TOUR_CALL(abut_broad_add(__VA_ARGS__))
#define abut_broad_update_pairs(...) TOUR_CALL(abut_broad_update_pairs(__VA_ARGS__))
#define abut_broad_move(...) TOUR_CALL(abut_broad_move(__VA_ARGS__))
#define abut_broad_move_many(...) TOUR_CALL(abut_broad_move_many(__VA_ARGS__))
#define abut_broad_query_box(...) TOUR_RUN(abut_broad_query_box(__VA_ARGS__))
#define abut_broad_query_ray(...) TOUR_CALL(abut_broad_query_ray(__VA_ARGS__))
#define abut_collide(...) TOUR_CALL(abut_collide(__VA_ARGS__))
#define abut_collide_pairs(...) TOUR_CALL(abut_collide_pairs(__VA_ARGS__))
#define abut_speculative_contacts(...) TOUR_CALL(abut_speculative_contacts(__VA_ARGS__))
#define abut_speculative_pairs(...) TOUR_CALL(abut_speculative_pairs(__VA_ARGS__))
#define abut_cast_ray(...) TOUR_CALL(abut_cast_ray(__VA_ARGS__))
#define abut_contacts_reduce(...) TOUR_CALL(abut_contacts_reduce(__VA_ARGS__))
#define abut_distance(...) TOUR_CALL(abut_distance(__VA_ARGS__))
#define abut_field_box_bounds(...) TOUR_CALL(abut_field_box_bounds(__VA_ARGS__))
#define abut_field_create_from_data(...) TOUR_CALL(abut_field_create_from_data(__VA_ARGS__))
#define abut_field_point_bounds(...) TOUR_CALL(abut_field_point_bounds(__VA_ARGS__))
#define abut_field_read_nodes(...) TOUR_RUN(abut_field_read_nodes(__VA_ARGS__))
#define abut_cullide(...) TOUR_CALL(abut_cullide(__VA_ARGS__))
#define abut_image_set_create(...) TOUR_CALL(abut_image_set_create(__VA_ARGS__))
#define abut_mesh_close(...) TOUR_CALL(abut_mesh_close(__VA_ARGS__))
#define abut_mesh_create(...) TOUR_CALL(abut_mesh_create(__VA_ARGS__))
#define abut_mesh_create_bolt(...) TOUR_CALL(abut_mesh_create_bolt(__VA_ARGS__))
#define abut_mesh_create_bowl(...) TOUR_CALL(abut_mesh_create_bowl(__VA_ARGS__))
#define abut_mesh_create_box(...) TOUR_CALL(abut_mesh_create_box(__VA_ARGS__))
#define abut_mesh_create_capsule(...) TOUR_CALL(abut_mesh_create_capsule(__VA_ARGS__))
#define abut_mesh_create_chain_link(...) TOUR_CALL(abut_mesh_create_chain_link(__VA_ARGS__))
#define abut_mesh_create_gear(...) TOUR_CALL(abut_mesh_create_gear(__VA_ARGS__))
#define abut_mesh_create_nut(...) TOUR_CALL(abut_mesh_create_nut(__VA_ARGS__))
#define abut_mesh_create_pipe(...) TOUR_CALL(abut_mesh_create_pipe(__VA_ARGS__))
#define abut_mesh_create_revolution(...) TOUR_CALL(abut_mesh_create_revolution(__VA_ARGS__))
#define abut_mesh_create_sphere(...) TOUR_CALL(abut_mesh_create_sphere(__VA_ARGS__))
#define abut_mesh_create_terrain(...) TOUR_CALL(abut_mesh_create_terrain(__VA_ARGS__))
#define abut_mesh_create_torus(...) TOUR_CALL(abut_mesh_create_torus(__VA_ARGS__))
#define abut_mesh_inspect(...) TOUR_CALL(abut_mesh_inspect(__VA_ARGS__))
#define abut_mesh_mass(...) TOUR_CALL(abut_mesh_mass(__VA_ARGS__))
#define abut_mesh_tree_collide(...) TOUR_CALL(abut_mesh_tree_collide(__VA_ARGS__))
#define abut_mesh_tree_create(...) TOUR_CALL(abut_mesh_tree_create(__VA_ARGS__))
#define abut_mesh_tree_pairs(...) TOUR_CALL(abut_mesh_tree_pairs(__VA_ARGS__))
#define abut_mesh_tree_quality(...) TOUR_CALL(abut_mesh_tree_quality(__VA_ARGS__))
#define abut_mesh_tree_refit(...) TOUR_CALL(abut_mesh_tree_refit(__VA_ARGS__))
#define abut_mesh_weld(...) TOUR_CALL(abut_mesh_weld(__VA_ARGS__))
#define abut_motion_between(...) TOUR_CALL(abut_motion_between(__VA_ARGS__))
#define abut_motion_pose(...) TOUR_CALL(abut_motion_pose(__VA_ARGS__))
#define abut_motion_max_displacement(...) TOUR_CALL(abut_motion_max_displacement(__VA_ARGS__))
#define abut_points_create(...) TOUR_CALL(abut_points_create(__VA_ARGS__))
#define abut_points_create_from_mesh(...) TOUR_CALL(abut_points_create_from_mesh(__VA_ARGS__))
#define abut_points_create_from_shape(...) TOUR_CALL(abut_points_create_from_shape(__VA_ARGS__))
#define abut_points_create_from_vertices(...) TOUR_CALL(abut_points_create_from_vertices(__VA_ARGS__))
#define abut_pose_transform_box(...) TOUR_CALL(abut_pose_transform_box(__VA_ARGS__))
#define abut_pose_inverse(...) TOUR_CALL(abut_pose_inverse(__VA_ARGS__))
#define abut_pose_is_valid(...) TOUR_CALL(abut_pose_is_valid(__VA_ARGS__))
#define abut_pose_multiply(...) TOUR_CALL(abut_pose_multiply(__VA_ARGS__))
#define abut_pose_relative(...) TOUR_CALL(abut_pose_relative(__VA_ARGS__))
#define abut_pose_inverse_transform_point(...) TOUR_CALL(abut_pose_inverse_transform_point(__VA_ARGS__))
#define abut_pose_transform_point(...) TOUR_CALL(abut_pose_transform_point(__VA_ARGS__))
#define abut_quat_from_axis_angle(...) TOUR_CALL(abut_quat_from_axis_angle(__VA_ARGS__))
#define abut_quat_multiply(...) TOUR_CALL(abut_quat_multiply(__VA_ARGS__))
#define abut_quat_normalize(...) TOUR_CALL(abut_quat_normalize(__VA_ARGS__))
#define abut_quat_rotate(...) TOUR_CALL(abut_quat_rotate(__VA_ARGS__))
#define abut_quat_to_matrix(...) TOUR_RUN(abut_quat_to_matrix(__VA_ARGS__))
#define abut_cast_intervals(...) TOUR_CALL(abut_cast_intervals(__VA_ARGS__))
#define abut_cast_segments(...) TOUR_CALL(abut_cast_segments(__VA_ARGS__))
#define abut_shape_create_box(...) TOUR_CALL(abut_shape_create_box(__VA_ARGS__))
#define abut_shape_create_callback(...) TOUR_CALL(abut_shape_create_callback(__VA_ARGS__))
#define abut_shape_create_capsule(...) TOUR_CALL(abut_shape_create_capsule(__VA_ARGS__))
#define abut_shape_create_cone(...) TOUR_CALL(abut_shape_create_cone(__VA_ARGS__))
#define abut_shape_create_corrected(...) TOUR_CALL(abut_shape_create_corrected(__VA_ARGS__))
#define abut_shape_create_cylinder(...) TOUR_CALL(abut_shape_create_cylinder(__VA_ARGS__))
#define abut_shape_create_difference(...) TOUR_CALL(abut_shape_create_difference(__VA_ARGS__))
#define abut_shape_create_heightfield(...) TOUR_CALL(abut_shape_create_heightfield(__VA_ARGS__))
#define abut_shape_create_intersection(...) TOUR_CALL(abut_shape_create_intersection(__VA_ARGS__))
#define abut_shape_create_offset(...) TOUR_CALL(abut_shape_create_offset(__VA_ARGS__))
#define abut_shape_create_transformed(...) TOUR_CALL(abut_shape_create_transformed(__VA_ARGS__))
#define abut_shape_create_plane(...) TOUR_CALL(abut_shape_create_plane(__VA_ARGS__))
#define abut_shape_create_rounded_box(...) TOUR_CALL(abut_shape_create_rounded_box(__VA_ARGS__))
#define abut_shape_create_shell(...) TOUR_CALL(abut_shape_create_shell(__VA_ARGS__))
#define abut_shape_create_smooth_union(...) TOUR_CALL(abut_shape_create_smooth_union(__VA_ARGS__))
#define abut_shape_create_sphere(...) TOUR_CALL(abut_shape_create_sphere(__VA_ARGS__))
#define abut_shape_create_torus(...) TOUR_CALL(abut_shape_create_torus(__VA_ARGS__))
#define abut_shape_create_union(...) TOUR_CALL(abut_shape_create_union(__VA_ARGS__))
#define abut_shape_distance(...) TOUR_CALL(abut_shape_distance(__VA_ARGS__))
#define abut_shape_distance_at(...) TOUR_CALL(abut_shape_distance_at(__VA_ARGS__))
#define abut_shape_measure_slope(...) TOUR_CALL(abut_shape_measure_slope(__VA_ARGS__))
#define abut_shape_sample(...) TOUR_RUN(abut_shape_sample(__VA_ARGS__))
#define abut_shape_sample_parallel(...) TOUR_RUN(abut_shape_sample_parallel(__VA_ARGS__))
#define abut_surface_create(...) TOUR_CALL(abut_surface_create(__VA_ARGS__))
#define abut_time_of_impact(...) TOUR_CALL(abut_time_of_impact(__VA_ARGS__))
#define abut_toi_intervals(...) TOUR_CALL(abut_toi_intervals(__VA_ARGS__))
#define abut_toi_speculative_margin(...) TOUR_CALL(abut_toi_speculative_margin(__VA_ARGS__))
#define abut_terrain_heights(...) TOUR_CALL(abut_terrain_heights(__VA_ARGS__))
#define abut_world_create(...) TOUR_CALL(abut_world_create(__VA_ARGS__))
#define abut_world_nearest(...) TOUR_CALL(abut_world_nearest(__VA_ARGS__))
#define abut_world_overlap(...) TOUR_CALL(abut_world_overlap(__VA_ARGS__))
#define abut_world_cast_ray(...) TOUR_CALL(abut_world_cast_ray(__VA_ARGS__))
#define abut_world_restore(...) TOUR_CALL(abut_world_restore(__VA_ARGS__))
#define abut_world_step(...) TOUR_CALL(abut_world_step(__VA_ARGS__))
// clang-format on

#endif
