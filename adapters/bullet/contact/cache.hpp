// Contacts of a pair that last while its bodies move little.
#ifndef ABUT_BULLET_CACHE_HPP
#define ABUT_BULLET_CACHE_HPP

#include "contact/contacts.hpp"

#include <vector>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// The contacts of a search, each point in the frame of its solid. A search with a margin m finds all regions
/// up to a distance of m; after a relative displacement of d these are still all regions up to m − d.
/// Memory grows to the largest count of contacts.
class ContactCache
{
  public:
    /// The contacts of a search at the present poses.
    void store(const Contacts& contacts);

    /// The contacts up to a distance of `margin` at the present poses, by their points: separations are those
    /// along the old normals until present_point() refines them.
    void restore(const MovingSolid& a, const MovingSolid& b, float margin, Contacts* out) const;

    /// Refined points of the present step: the next one starts from them.
    void keep_refined(const MovingSolid& a, const MovingSolid& b, const Point* points, int count);

    float spacing() const
    {
        return spacing_;
    }

  private:
    struct Candidate
    {
        uint64_t id;
        btVector3 on_a, on_b, normal; // in the frame of A, B and B
        bool refined, of_b;
    };
    std::vector<Candidate> candidates_;
    Candidate refined_[MANIFOLD_CACHE_SIZE];
    int refined_count_ = 0;
    float spacing_ = 0.0f;
};

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
