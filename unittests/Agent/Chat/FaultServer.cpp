//===- FaultServer.cpp - The server that misbehaves, as a child -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Python process, its standard input and output.
//
//===----------------------------------------------------------------------===//

#include "FaultServer.h"

#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace swizzle {

FaultServer::FaultServer(const std::string &folder) : folder(folder) {
  int toChild[2], fromChild[2];
  if (pipe2(toChild, O_CLOEXEC) || pipe2(fromChild, O_CLOEXEC))
    return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, toChild[0], 0);
  posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1);
  std::string script = SWIZZLE_SOURCE_DIR "/test/Agent/Inputs/fault_server.py";
  std::string logFile = folder + "/log.jsonl";
  const char *arguments[] = {"python3",      script.c_str(), "--tls",
                             folder.c_str(), "--log",        logFile.c_str(),
                             nullptr};
  if (posix_spawnp(&child, arguments[0], &actions, nullptr,
                   const_cast<char **>(arguments), environ))
    child = -1;
  posix_spawn_file_actions_destroy(&actions);
  close(toChild[0]);
  close(fromChild[1]);
  input = toChild[1];
  std::FILE *output = fdopen(fromChild[0], "r");
  char name[64], port[64];
  while (output && std::fscanf(output, "%63s", name) == 1 &&
         std::string(name) != "ready" && std::fscanf(output, "%63s", port) == 1)
    ports[name] = port;
  if (output)
    std::fclose(output);
}

FaultServer::~FaultServer() {
  if (input >= 0)
    close(input);
  if (child > 0)
    waitpid(child, nullptr, 0);
}

std::string FaultServer::url(const std::string &faults,
                             const std::string &name) const {
  auto port = ports.find(name);
  return (name.rfind("https", 0) == 0 ? "https" : "http") +
         std::string("://127.0.0.1:") +
         (port == ports.end() ? "1" : port->second) + "/" + faults;
}

std::string FaultServer::log() const {
  std::stringstream text;
  text << std::ifstream(folder + "/log.jsonl").rdbuf();
  return text.str();
}

} // namespace swizzle
