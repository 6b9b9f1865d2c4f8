// A hexapod from C++: handles that finish themselves, errors as exceptions, one robot in several threads, a task that is
// cancelled.
#include "legwork.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

void check(int code) {
    if (code == LEGWORK_OK) return;
    std::string text(legwork_last_message(nullptr, 0) + 1, '\0');
    legwork_last_message(text.data(), text.size());
    throw std::runtime_error(std::string(legwork_code_name(code)) + ": " + text.c_str());
}

template <auto finish>
struct Finish {
    template <class T>
    void operator()(T *handle) const { finish(handle); }
};
using Robot = std::unique_ptr<legwork_robot, Finish<legwork_robot_free>>;
using Text = std::unique_ptr<legwork_text, Finish<legwork_text_free>>;

Robot open(const char *name) {
    legwork_robot *robot = nullptr;
    check(legwork_robot_open(name, &robot));
    return Robot(robot);
}

legwork_state at(const std::vector<double> &pose) {
    return {pose.data(), pose.size(), nullptr, 0, nullptr, 0, nullptr, 0};
}

}  // namespace

int main() {
    Robot robot = open("gough-stewart");
    legwork_sizes sizes;
    check(legwork_robot_sizes(robot.get(), &sizes));
    std::vector<double> home(sizes.coordinates), weight(sizes.joints);
    check(legwork_home(robot.get(), home.data(), home.size()));
    legwork_state state = at(home);
    check(legwork_gravity(robot.get(), &state, weight.data(), weight.size()));
    std::printf("%s at home: the first leg holds %.3f N\n", legwork_robot_name(robot.get()), weight[0]);

    // One robot, four threads: each the same answers.
    std::array<double, 4> sums{};
    std::vector<std::thread> threads;
    for (auto &sum : sums) {
        threads.emplace_back([&robot, &sum, &home, &sizes] {
            std::vector<double> pose = home, q(sizes.joints), back(sizes.coordinates);
            for (int k = 0; k < 50; k++) {
                pose[0] = 0.001 * k;
                pose[3] = 0.002 * k;
                legwork_state here = at(pose);
                check(legwork_inverse_kinematics(robot.get(), &here, q.data(), q.size()));
                check(legwork_forward_kinematics(robot.get(), q.data(), q.size(), pose.data(), pose.size(), back.data(), back.size()));
                for (std::size_t j = 0; j < back.size(); j++) {
                    if (!(std::abs(back[j] - pose[j]) < 1e-9)) throw std::runtime_error("there and back");
                }
                sum += q[0];
            }
        });
    }
    for (auto &thread : threads) thread.join();
    for (double sum : sums) {
        if (sum != sums[0]) return 1;
    }
    std::printf("four threads agree to the bit: %.12f\n", sums[0]);

    // Forces in the legs.
    std::vector<double> forces(3 * sizes.legs), axial(sizes.legs);
    check(legwork_leg_forces(robot.get(), &state, forces.data(), forces.size(), axial.data(), axial.size()));
    double lift = 0.0;
    for (std::size_t leg = 0; leg < sizes.legs; leg++) lift += forces[3 * leg + 2];
    std::printf("the legs lift the platform with %.3f N\n", lift);

    // A task that is cancelled from its progress.
    const std::string request = R"({"task": "map", "robot": "gough-stewart", "quantities": ["condition"]})";
    legwork_cancel *cancel = nullptr;
    check(legwork_cancel_new(&cancel));
    check(legwork_cancel_set(cancel));
    legwork_text *out = nullptr;
    int code = legwork_run(request.data(), request.size(), cancel, nullptr, nullptr, nullptr, &out);
    Text result(out);
    std::printf("a cancelled task: %s\n", legwork_code_name(code));
    check(legwork_cancel_free(cancel));
    if (code != LEGWORK_CANCELLED) return 1;

    // An error is an exception with the words of the library.
    try {
        open("no-such-robot");
        return 1;
    } catch (const std::runtime_error &error) {
        std::printf("%s\n", error.what());
    }
    return 0;
}
