//===- FaultServer.h - The server that misbehaves, as a child ---*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts test/Agent/Inputs/fault_server.py and ends it with the test. Its base
// URLs name the faults that it shall play.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_AGENT_FAULTSERVER_H
#define SWIZZLE_UNITTESTS_AGENT_FAULTSERVER_H

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace swizzle {

class FaultServer {
public:
  /// `folder`: for its certificates and its log.
  explicit FaultServer(const std::string &folder);
  ~FaultServer();

  /// "http://127.0.0.1:PORT/FAULTS" of the listener called `name`.
  std::string url(const std::string &faults,
                  const std::string &name = "http") const;

  /// The certificate called `name` ("right", "wrong").
  std::string certificate(const std::string &name) const {
    return folder + "/" + name + ".pem";
  }

  /// Everything that it was sent, keys included.
  std::string log() const;

  bool isRunning() const { return ports.count("http"); }

private:
  std::string folder;
  pid_t child = -1;
  int input = -1; ///< closing it ends the server
  std::map<std::string, std::string> ports;
};

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_AGENT_FAULTSERVER_H
