/* For programs of NVIDIA's samples (see helper_string.h): a stopwatch for host code. */
#ifndef HELPER_TIMER_H
#define HELPER_TIMER_H

#include <chrono>

/* The interface of a stopwatch. Times are in milliseconds. A session is the time between start()
 * and stop(). */
class StopWatchInterface {
public:
  virtual ~StopWatchInterface() {}
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  virtual float getTime() = 0;
  virtual float getAverageTime() = 0;
};

class StopWatchLinux : public StopWatchInterface {
public:
  void start() override {
    began = clock::now();
    running = true;
  }
  void stop() override {
    if (running)
      total += since_start(), sessions++;
    running = false;
  }
  void reset() override {
    total = 0;
    sessions = 0;
    began = clock::now();
  }
  float getTime() override { return total + (running ? since_start() : 0); }
  float getAverageTime() override { return sessions ? total / (float)sessions : 0; }

private:
  typedef std::chrono::steady_clock clock;
  float since_start() const {
    return std::chrono::duration<float, std::milli>(clock::now() - began).count();
  }
  clock::time_point began;
  float total = 0;
  int sessions = 0;
  bool running = false;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) {
  *timer = new StopWatchLinux;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
#define SDK_TIMER(name, work)                                                                      \
  inline bool name(StopWatchInterface **timer) {                                                   \
    if (*timer)                                                                                    \
      (*timer)->work();                                                                            \
    return true;                                                                                   \
  }
SDK_TIMER(sdkStartTimer, start)
SDK_TIMER(sdkStopTimer, stop)
SDK_TIMER(sdkResetTimer, reset)
#undef SDK_TIMER
inline float sdkGetTimerValue(StopWatchInterface **timer) {
  return *timer ? (*timer)->getTime() : 0;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
  return *timer ? (*timer)->getAverageTime() : 0;
}

#endif
